import { fileLimits } from '../../../limits'
import { createXmlReader, type XmlHandler } from '../../containers/xml-reader'
import { type Cell, type Row, readCell } from './cell'
import { parseCellRef, type SheetRanges } from './cell-refs'
import { general, type NumberFormat, numberCell } from './number-format'
import type { SharedStrings } from './shared-strings'
import type { HiddenParts } from './workbook'

export interface SheetContext {
  strings: SharedStrings
  /** Number formats by the style index of a cell. */
  formats: NumberFormat[]
  /** Whether dates are counted from 1904. */
  from1904: boolean
  ranges: SheetRanges
  /** Receives the counts. */
  hidden: HiddenParts
}

/** Reads the XML of a sheet chunk by chunk, and returns its visible non-empty rows. */
export function createRowReader(context: SheetContext) {
  const { hidden, ranges } = context
  const { filtered } = ranges
  const hiddenColumns: { from: number; to: number }[] = []
  let rows: Row[] = []
  let isData = false
  let number = 0
  let isShown = true
  let cells: Cell[] = []
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let isValue = false
  let isPhonetic = false

  function openColumn({ min, max, hidden: isHidden, outlineLevel }: Record<string, string>): void {
    if (!isTrue(isHidden) || Number(outlineLevel) > 0) return
    hiddenColumns.push({ from: Number(min) - 1, to: Number(max) - 1 })
    // A range up to the last column is empty space.
    if (Number(max) < fileLimits.table.columns) hidden.columns += Number(max) - Number(min) + 1
  }

  function openRow({ r, hidden: isHidden, outlineLevel }: Record<string, string>): void {
    number = Number(r) || number + 1
    // Filtered rows and collapsed groups do not count as hidden.
    const isFiltered = filtered !== null && number >= filtered.top && number <= filtered.bottom
    isShown = !isTrue(isHidden) || isFiltered || Number(outlineLevel) > 0
    cells = []
    column = -1
  }

  function openCell({ r, t, s }: Record<string, string>): void {
    const place = r === undefined ? null : parseCellRef(r)
    column = place?.column ?? column + 1
    type = t ?? 'n'
    style = Number(s ?? 0)
    value = ''
  }

  function closeCell(): void {
    if (column >= fileLimits.table.columns || cells.length >= fileLimits.table.columns) return
    if (hiddenColumns.some(({ from, to }) => column >= from && column <= to)) return
    const cell = cellOf(column, type, value, context.formats[style] ?? general, context)
    if (cell) cells.push(cell)
  }

  function closeRow(): void {
    if (cells.length === 0) return
    if (!isShown) hidden.rows++
    else rows.push({ number, cells: sortedCells(cells) })
    cells = []
  }

  const handler: XmlHandler = {
    open({ name, attributes }) {
      if (name === 'sheetData') isData = true
      else if (name === 'col') openColumn(attributes)
      else if (!isData) return
      else if (name === 'row') openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (name === 'v' || name === 't') isValue = true
      else if (name === 'rPh') isPhonetic = true
    },
    text(chunk) {
      if (isValue && !isPhonetic) value += chunk.slice(0, fileLimits.table.cellLength + 1 - value.length)
    },
    close(name) {
      if (!isData) return
      if (name === 'c') closeCell()
      else if (name === 'v' || name === 't') isValue = false
      else if (name === 'row') closeRow()
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'sheetData') isData = false
    },
  }
  const reader = createXmlReader(handler, 'lenient')

  function takeRows(): Row[] {
    const finished = rows
    rows = []
    return finished
  }

  return {
    write(chunk: Uint8Array): Row[] {
      reader.write(chunk)
      return takeRows()
    },
    end(): Row[] {
      reader.end()
      return takeRows()
    },
  }
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true'
}

function cellOf(
  column: number,
  type: string,
  value: string,
  format: NumberFormat,
  { strings, from1904 }: SheetContext,
): Cell | null {
  if (type === 'e' || value === '') return null
  if (type === 's') return readCell(column, strings.at(Number(value)))
  if (type === 'str' || type === 'inlineStr') return readCell(column, value)
  if (type === 'b') {
    return { column, text: value === '1' ? 'TRUE' : 'FALSE', kind: 'boolean', value: Number(value === '1'), span: 1 }
  }
  if (type === 'd') return readCell(column, value.replace(/T00:00:00(?:\.0+)?Z?$/, ''))
  return numberCell(column, Number(value), format, from1904) ?? readCell(column, value)
}

function sortedCells(cells: Cell[]): Cell[] {
  const nonEmpty = cells.filter(({ text }) => text !== '')
  const isSorted = nonEmpty.every(({ column }, index) => index === 0 || column > (nonEmpty[index - 1]?.column ?? 0))
  return isSorted ? nonEmpty : nonEmpty.sort((first, second) => first.column - second.column)
}
