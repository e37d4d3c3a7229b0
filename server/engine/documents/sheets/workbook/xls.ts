import { open, readFile } from 'node:fs/promises'
import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { fileLimits } from '../../../limits'
import { openOle } from '../../containers/ole-file'
import { type OleProperties, readOleProperties } from '../../containers/ole-properties'
import { RefusedFile } from '../../format/unreadable-file'
import { type Cell, type Row, readCell } from './cell'
import { createMerging, type MergedRange } from './merged-cells'
import { formatNamed, general, type NumberFormat, numberCell } from './number-format'
import type { HiddenParts, Sheet, Workbook } from './workbook'

/** Rows that are handed on at once. */
const batch = 500

/**
 * Opens a workbook of Excel 97 to 2003, or of one before. All of it is in memory then. Throws RefusedFile, or whatever
 * SheetJS throws.
 */
export async function openXls(path: string): Promise<Workbook> {
  const { records, properties } = await readParts(path)
  const book = readBook(records)
  const from1904 = book.Workbook?.WBProps?.date1904 === true
  const shown = book.SheetNames.slice(0, fileLimits.workbook.sheets).flatMap((name, index) => {
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
    sheets: shown.map(({ name, sheet }, index) => sheetOf(name, sheet, from1904, index, shown.length)),
  }
}

/**
 * The records of a workbook, out of the compound file that they are in since Excel 5. SheetJS could take them out too,
 * but reads all else in there with them, and a number in it that is wrong takes it gigabytes.
 */
async function readParts(path: string): Promise<{ records: Buffer; properties: OleProperties }> {
  const bytes = await readStart(path)
  if (isRecords(bytes)) return { records: await readFile(path), properties: readOleProperties(null) }
  const ole = await openOle(path)
  try {
    const named = (pattern: RegExp) => [...ole.names].find((name) => pattern.test(name)) ?? ''
    if (named(/^EncryptedPackage$/i)) throw new RefusedFile('file-encrypted')
    const records = (await ole.stream(named(/^Workbook$/i))) ?? (await ole.stream(named(/^Book$/i)))
    // Documents of other programs are kept in the same way.
    if (records === null) throw new RefusedFile('file-mismatch')
    if (!isRecords(records)) throw new RefusedFile('file-broken')
    return { records, properties: readOleProperties(await ole.stream('\u0005SummaryInformation')) }
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

/** They start with one that says so, in one of four versions. */
function isRecords(bytes: Buffer): boolean {
  return /^09(?:00|02|04|08)(?:0[4-9a-f]|10)00/.test(bytes.toString('hex', 0, 4))
}

/** Kinds of records that hold sheets, cells, their formats, and what of them is hidden or merged, in all versions. */
const wanted = new Set([
  ...[0x0009, 0x0209, 0x0409, 0x0809, 0x000a, 0x003c, 0x002f, 0x0042, 0x0022, 0x0085, 0x00fc],
  ...[0x0000, 0x0200, 0x0008, 0x0208, 0x007d, 0x00e5],
  ...[0x001e, 0x041e, 0x0043, 0x0243, 0x0443, 0x00e0, 0x0044],
  ...[0x0001, 0x0201, 0x0002, 0x0003, 0x0203, 0x0004, 0x0204, 0x0005, 0x0205, 0x0007, 0x0207],
  ...[0x0006, 0x0206, 0x0406, 0x027e, 0x00bd, 0x00be, 0x00d6, 0x00fd],
])
/** Bytes up to the length of the text that a record holds: in a shorter one, SheetJS reads on until memory is full. */
const leastLengths = new Map([
  ...[0x0004, 0x0204, 0x00d6].map((kind) => [kind, 8] as const),
  ...[0x001e, 0x0007].map((kind) => [kind, 1] as const),
  ...[0x0207, 0x041e].map((kind) => [kind, 3] as const),
])
/** What SheetJS does not know, it skips. */
const unknown = 0x7fff

/** In others, as colours and references to other files, a wrong number sends SheetJS round until memory is full. */
function withWantedAlone(records: Buffer): Buffer {
  let at = 0
  for (; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2)) {
    const kind = records.readUInt16LE(at)
    const isShort = records.readUInt16LE(at + 2) < (leastLengths.get(kind) ?? 0)
    if (isShort || !wanted.has(kind)) records.writeUInt16LE(unknown, at)
  }
  return records.subarray(0, at)
}

function readBook(records: Buffer) {
  const print = console.error
  // SheetJS prints each record that it does not know, of which a broken file can have millions.
  console.error = () => {}
  try {
    return read(withWantedAlone(records), {
      type: 'buffer',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      // What is hidden is told with the styles.
      cellStyles: true,
    })
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error)
    throw /password|encrypt/i.test(message) ? new RefusedFile('file-encrypted') : error
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
      const merge = createMerging(rangesOf(sheet))
      let rows: Row[] = []
      for (const row of rowsOf(sheet, from1904, hidden)) {
        if (rows.push(merge(row)) < batch) continue
        yield { rows, done: index, total }
        rows = []
      }
      yield { rows, done: index + 1, total }
    },
  }
}

function rangesOf(sheet: WorkSheet): MergedRange[] {
  const ranges = (sheet['!merges'] ?? []).slice(0, fileLimits.workbook.merged)
  return ranges.map(({ s, e }) => ({ top: s.r + 1, bottom: e.r + 1, left: s.c, right: e.c }))
}

function* rowsOf(sheet: WorkSheet, from1904: boolean, hidden: HiddenParts): Generator<Row> {
  const formats = new Map<string, NumberFormat>()
  const hiddenColumns = new Set<number>()
  sheet['!cols']?.forEach((column, index) => {
    if (column?.hidden && !column.level) hiddenColumns.add(index)
  })
  const data: (CellObject | undefined)[][] = sheet['!data'] ?? []
  // Rows and cells that are not there are holes.
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
    const shown = sheet['!rows']?.[Number(index)]
    // What is folded up for the moment is not meant to be hidden.
    if (shown?.hidden && !shown.level) hidden.rows++
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
  if (type === 'b') return { column, text: value ? 'TRUE' : 'FALSE', kind: 'truth', value: Number(value), span: 1 }
  if (type !== 'n' || typeof value !== 'number') return null
  let format = typeof code === 'string' ? formats.get(code) : general
  if (!format) {
    format = formatNamed(String(code))
    formats.set(String(code), format)
  }
  return numberCell(column, value, format, from1904)
}
