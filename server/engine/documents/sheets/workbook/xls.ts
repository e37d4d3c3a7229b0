import { open, readFile } from 'node:fs/promises'
import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { fileLimits } from '../../../limits'
import { openOle } from '../../containers/ole-file'
import { type OleProperties, readOleProperties } from '../../containers/ole-properties'
import { UnreadableFile } from '../../format/unreadable-file'
import { type Cell, type Row, readCell } from './cell'
import { createMergedCells, type MergedRange } from './merged-cells'
import { formatOfCode, general, type NumberFormat, numberCell } from './number-format'
import type { HiddenParts, Sheet, Workbook } from './workbook'

/** Rows per batch. */
const batchRows = 500

/**
 * Opens a workbook of Excel 2003 or earlier. It is loaded into memory completely. Throws UnreadableFile, or any error
 * of SheetJS.
 */
export async function openXls(path: string): Promise<Workbook> {
  const { records, properties } = await readParts(path)
  const book = readBook(records)
  const from1904 = book.Workbook?.WBProps?.date1904 === true
  const visible = book.SheetNames.slice(0, fileLimits.workbook.sheets).flatMap((name, index) => {
    const sheet = book.Sheets[name]
    return sheet === undefined || book.Workbook?.Sheets?.[index]?.Hidden ? [] : [{ name, sheet }]
  })
  return {
    facts: {
      title: properties.title,
      language: '',
      publishedAt: properties.created,
      modifiedAt: properties.modified,
    },
    sheets: visible.map(({ name, sheet }, index) => sheetOf(name, sheet, from1904, index, visible.length)),
  }
}

/**
 * Reads the BIFF records of a workbook, from its OLE file since Excel 5. SheetJS could extract them, too, but also
 * reads everything else in the file, and a single wrong number makes it allocate gigabytes.
 */
async function readParts(path: string): Promise<{ records: Buffer; properties: OleProperties }> {
  const bytes = await readStart(path)
  if (isRecords(bytes)) return { records: await readFile(path), properties: readOleProperties(null) }
  const ole = await openOle(path)
  try {
    const named = (pattern: RegExp) => [...ole.names].find((name) => pattern.test(name)) ?? ''
    if (named(/^EncryptedPackage$/i)) throw new UnreadableFile('file-encrypted')
    const records = (await ole.readStream(named(/^Workbook$/i))) ?? (await ole.readStream(named(/^Book$/i)))
    // Documents of other programs use the same container.
    if (records === null) throw new UnreadableFile('file-mismatch')
    if (!isRecords(records)) throw new UnreadableFile('file-broken')
    return { records, properties: readOleProperties(await ole.readStream('\u0005SummaryInformation')) }
  } finally {
    await ole.close()
  }
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether the bytes start with a BOF record, in one of four versions. */
function isRecords(bytes: Buffer): boolean {
  return /^09(?:00|02|04|08)(?:0[4-9a-f]|10)00/.test(bytes.toString('hex', 0, 4))
}

/** Types of records with sheets, cells, formats, and hidden or merged cells, in all versions. */
const neededTypes = new Set([
  ...[0x0009, 0x0209, 0x0409, 0x0809, 0x000a, 0x003c, 0x002f, 0x0042, 0x0022, 0x0085, 0x00fc],
  ...[0x0000, 0x0200, 0x0008, 0x0208, 0x007d, 0x00e5],
  ...[0x001e, 0x041e, 0x0043, 0x0243, 0x0443, 0x00e0, 0x0044],
  ...[0x0001, 0x0201, 0x0002, 0x0003, 0x0203, 0x0004, 0x0204, 0x0005, 0x0205, 0x0007, 0x0207],
  ...[0x0006, 0x0206, 0x0406, 0x027e, 0x00bd, 0x00be, 0x00d6, 0x00fd],
])
/** Bytes up to the length field of a record's text: in a shorter record, SheetJS reads on until memory is exhausted. */
const minLengths = new Map([
  ...[0x0004, 0x0204, 0x00d6].map((type) => [type, 8] as const),
  ...[0x001e, 0x0007].map((type) => [type, 1] as const),
  ...[0x0207, 0x041e].map((type) => [type, 3] as const),
])
/** A record type that SheetJS ignores. */
const ignoredType = 0x7fff

/**
 * Disables all other records: in some, such as colors and external references, a wrong number makes SheetJS loop until
 * memory is exhausted.
 */
function disableOtherRecords(records: Buffer): Buffer {
  let position = 0
  for (; position + 4 <= records.length; position += 4 + records.readUInt16LE(position + 2)) {
    const type = records.readUInt16LE(position)
    const isShort = records.readUInt16LE(position + 2) < (minLengths.get(type) ?? 0)
    if (isShort || !neededTypes.has(type)) records.writeUInt16LE(ignoredType, position)
  }
  return records.subarray(0, position)
}

function readBook(records: Buffer) {
  const print = console.error
  // SheetJS prints each unknown record, of which a damaged file can have millions.
  console.error = () => {}
  try {
    return read(disableOtherRecords(records), {
      type: 'buffer',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      // Hidden rows and columns are part of the styles.
      cellStyles: true,
    })
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error)
    throw /password|encrypt/i.test(message) ? new UnreadableFile('file-encrypted') : error
  } finally {
    console.error = print
  }
}

function sheetOf(name: string, sheet: WorkSheet, from1904: boolean, index: number, total: number): Sheet {
  const hidden: HiddenParts = { rows: 0, columns: 0 }
  return {
    name,
    hidden,
    async *rows() {
      const merge = createMergedCells(rangesOf(sheet))
      let rows: Row[] = []
      for (const row of rowsOf(sheet, from1904, hidden)) {
        if (rows.push(merge(row)) < batchRows) continue
        yield { rows, done: index, total }
        rows = []
      }
      yield { rows, done: index + 1, total }
    },
  }
}

function rangesOf(sheet: WorkSheet): MergedRange[] {
  const ranges = (sheet['!merges'] ?? []).slice(0, fileLimits.workbook.mergedRanges)
  return ranges.map(({ s, e }) => ({ top: s.r + 1, bottom: e.r + 1, left: s.c, right: e.c }))
}

function* rowsOf(sheet: WorkSheet, from1904: boolean, hidden: HiddenParts): Generator<Row> {
  const formats = new Map<string, NumberFormat>()
  const hiddenColumns = new Set<number>()
  sheet['!cols']?.forEach((column, index) => {
    if (column?.hidden && !column.level) hiddenColumns.add(index)
  })
  const data: (CellObject | undefined)[][] = sheet['!data'] ?? []
  // Missing rows and cells are holes in the arrays.
  for (const index in data) {
    const cells: Cell[] = []
    const objects = data[index] ?? []
    for (const column in objects) {
      const object = objects[column]
      const cell =
        object && !hiddenColumns.has(Number(column)) ? cellOf(Number(column), object, formats, from1904) : null
      if (cell && cell.text !== '') cells.push(cell)
    }
    if (cells.length === 0) continue
    const properties = sheet['!rows']?.[Number(index)]
    // Collapsed groups do not count as hidden.
    if (properties?.hidden && !properties.level) hidden.rows++
    else yield { number: Number(index) + 1, cells }
  }
  hidden.columns = hiddenColumns.size
}

function cellOf(
  column: number,
  { t: type, v: value, z: code }: CellObject,
  formats: Map<string, NumberFormat>,
  from1904: boolean,
): Cell | null {
  if (type === 's') return readCell(column, String(value ?? ''))
  if (type === 'b') return { column, text: value ? 'TRUE' : 'FALSE', kind: 'boolean', value: Number(value), span: 1 }
  if (type !== 'n' || typeof value !== 'number') return null
  let format = typeof code === 'string' ? formats.get(code) : general
  if (!format) {
    format = formatOfCode(String(code))
    formats.set(String(code), format)
  }
  return numberCell(column, value, format, from1904)
}
