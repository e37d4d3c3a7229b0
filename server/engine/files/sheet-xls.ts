import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { fileLimits } from '../limits'
import { RefusedFile } from './refused-file'
import { type Cell, type Row, readCell } from './sheet-cell'
import { formatNamed, general, type NumberFormat, numberCell } from './sheet-format'
import { createMerging, type MergedRange } from './sheet-merged'
import type { HiddenParts, Sheet, Workbook } from './sheet-workbook'

/** Rows that are handed on at once. */
const batch = 500

/** Opens a workbook of Excel 97 to 2003 or before, all of which is in memory then. Throws RefusedFile, or as SheetJS does. */
export function openXls(bytes: Buffer): Workbook {
  const book = readBook(bytes)
  const { Title: title, CreatedDate: created, ModifiedDate: modified } = book.Props ?? {}
  const from1904 = book.Workbook?.WBProps?.date1904 === true
  const shown = book.SheetNames.slice(0, fileLimits.workbook.sheets).flatMap((name, index) => {
    const sheet = book.Sheets[name]
    return sheet === undefined || book.Workbook?.Sheets?.[index]?.Hidden ? [] : [{ name, sheet }]
  })
  return {
    facts: {
      title: typeof title === 'string' ? title.trim() : '',
      language: '',
      pages: null,
      publishedAt: created instanceof Date ? created.getTime() : null,
      modifiedAt: modified instanceof Date ? modified.getTime() : null,
    },
    sheets: shown.map(({ name, sheet }, index) => sheetOf(name, sheet, from1904, index, shown.length)),
  }
}

function readBook(bytes: Buffer) {
  const print = console.error
  // SheetJS prints each record that it does not know, of which a broken file can have millions.
  console.error = () => {}
  try {
    return read(bytes, {
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
    if (/password|encrypt/i.test(message)) throw new RefusedFile('file-encrypted')
    // Documents of other programs are made in the same way.
    if (/Cannot find Workbook|Unsupported file/i.test(message)) throw new RefusedFile('file-mismatch')
    throw error
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
    // What is filtered away or folded up for the moment is not meant to be hidden.
    if (shown?.hidden && !shown.level && !sheet['!autofilter']) hidden.rows++
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
