import { fileLimits } from '../../../limits'
import { createXmlReader, type XmlHandler } from '../../containers/xml-reader'
import { type Cell, type Row, readCell } from './cell'
import { placeOf, type SheetRanges } from './cell-refs'
import { general, type NumberFormat, numberCell } from './number-format'
import type { SharedStrings } from './shared-strings'
import type { HiddenParts } from './workbook'

export interface SheetContext {
  strings: SharedStrings
  /** By the style of a cell. */
  formats: NumberFormat[]
  /** Dates are counted from 1904 on. */
  from1904: boolean
  ranges: SheetRanges
  /** Counted here. */
  hidden: HiddenParts
}

/** Takes the XML of a sheet piece by piece, and hands out the rows of it that hold something and are shown. */
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
  let isReading = false

  function openColumn({ min, max, hidden: isHidden, outlineLevel }: Record<string, string>): void {
    if (!isTrue(isHidden) || Number(outlineLevel) > 0) return
    hiddenColumns.push({ from: Number(min) - 1, to: Number(max) - 1 })
    // Whole sheets are hidden from their last column on.
    if (Number(max) < fileLimits.table.columns) hidden.columns += Number(max) - Number(min) + 1
  }

  function openRow({ r, hidden: isHidden, outlineLevel }: Record<string, string>): void {
    number = Number(r) || number + 1
    // What is filtered away or folded up for the moment is not meant to be hidden.
    const isFiltered = filtered !== null && number >= filtered.top && number <= filtered.bottom
    isShown = !isTrue(isHidden) || isFiltered || Number(outlineLevel) > 0
    cells = []
    column = -1
  }

  function openCell({ r, t, s }: Record<string, string>): void {
    const place = r === undefined ? null : placeOf(r)
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
    else rows.push({ number, cells: inOrder(cells) })
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
      else if (name === 'rPh') isReading = true
    },
    text(piece) {
      if (isValue && !isReading) value += piece.slice(0, fileLimits.table.cellLength + 1 - value.length)
    },
    close(name) {
      if (!isData) return
      if (name === 'c') closeCell()
      else if (name === 'v' || name === 't') isValue = false
      else if (name === 'row') closeRow()
      else if (name === 'rPh') isReading = false
      else if (name === 'sheetData') isData = false
    },
  }
  const reader = createXmlReader(handler, 'lenient')

  function taken(): Row[] {
    const read = rows
    rows = []
    return read
  }

  return {
    write(piece: Uint8Array): Row[] {
      reader.write(piece)
      return taken()
    },
    end(): Row[] {
      reader.end()
      return taken()
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
    return { column, text: value === '1' ? 'TRUE' : 'FALSE', kind: 'truth', value: Number(value === '1'), span: 1 }
  }
  if (type === 'd') return readCell(column, value.replace(/T00:00:00(?:\.0+)?Z?$/, ''))
  return numberCell(column, Number(value), format, from1904) ?? readCell(column, value)
}

function inOrder(cells: Cell[]): Cell[] {
  const shown = cells.filter(({ text }) => text !== '')
  const isSorted = shown.every(({ column }, index) => index === 0 || column > (shown[index - 1]?.column ?? 0))
  return isSorted ? shown : shown.sort((one, other) => one.column - other.column)
}
