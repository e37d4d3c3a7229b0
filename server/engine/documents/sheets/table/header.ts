import type { Cell, Row } from '../workbook/cell'
import { hasNameStyle, nameEvidence } from './column-names'

export interface Header {
  /** Index of its last row among those examined. */
  index: number
  /** Number of its rows: two if cells of the first span several of the second. */
  rows: number
  /** Names by column; some columns have none. */
  names: Map<number, string>
}

/** Rows in which a header may start, and rows below that it is compared with. */
const maxHeaderIndex = 15
const maxComparedRows = 30
const maxNameLength = 100
/** Score from which on a row is a header. */
const minScore = 0.5

/**
 * Finds the first row that names the columns below it: mostly distinct texts over values of another kind, or over texts
 * in another style, or years over numbers. Returns null if there is no clear one.
 */
export function findHeader(rows: Row[]): Header | null {
  for (const index of rows.slice(0, maxHeaderIndex).keys()) {
    const found = headerAt(rows, index)
    if (found === null) continue
    const below = hasGroups(found.row) ? headerAt(rows, index + 1) : null
    if (below && hasOnlyTexts(below.row))
      return { index: index + 1, rows: 2, names: groupedNames(found.row, below.row) }
    const above = rows[index - 1]
    if (above && hasGroups(above) && hasOnlyTexts(above)) {
      return { index, rows: 2, names: groupedNames(above, found.row) }
    }
    return { index, rows: 1, names: new Map(found.row.cells.map((cell) => [cell.column, nameOf(cell.text)])) }
  }
  return null
}

function headerAt(rows: Row[], index: number): { row: Row } | null {
  const row = rows[index]
  if (row === undefined) return null
  const rowTexts = textsOf(row)
  const below = rows.slice(index + 1, index + 1 + maxComparedRows).filter((item) => textsOf(item) !== rowTexts)
  if (below.length === 0) return null
  const years = yearsOver(row, below)
  if (years.length === 0 && !looksLikeNames(row)) return null
  const width = medianWidth(below)
  if (row.cells.length < Math.max(Math.min(2, width), 0.6 * width)) return null
  const cellsBelow = cellsByColumn(below)
  const columns = row.cells.map((cell) => ({ cell, ...judge(cell, cellsBelow.get(cell.column) ?? []) }))
  const differing = new Set([...columns.filter(({ differs }) => differs).map(({ cell }) => cell.column), ...years])
  // Below a row with values of the same kinds, a row of texts is a remark.
  const above = rows.slice(0, index)
  const isValueAbove = ({ cells }: Row) => cells.some(({ column, kind }) => kind !== 'text' && differing.has(column))
  if (differing.size > 0 ? above.some(isValueAbove) : above.some(({ cells }) => cells.length >= 0.6 * width))
    return null
  const styleScore = hasNameStyle(row.cells, below) ? minScore : 0
  const yearScore = years.length > 0 ? minScore : 0
  const score = columns.reduce((sum, { vote }) => sum + vote, styleScore + yearScore)
  return score >= minScore ? { row } : null
}

/**
 * Returns the columns that are named by years: at least two different years, over numbers that are mostly not years,
 * next to texts or an empty corner. Empty for any other row.
 */
function yearsOver({ cells }: Row, rows: Row[]): number[] {
  const years = cells.filter(({ text }) => isYear(text))
  if (years.length < 2 || new Set(years.map(({ text }) => text)).size < years.length) return []
  const others = cells.filter(({ text }) => !isYear(text))
  if (others.some(({ kind, text }) => kind !== 'text' || text.length > maxNameLength)) return []
  // Without texts, cells before the first year have an empty corner above them.
  const first = Math.min(...years.map(({ column }) => column))
  const cornered = rows.filter((row) => row.cells.some(({ column }) => column < first))
  if (others.length === 0 && cornered.length < 0.6 * rows.length) return []
  const columns = new Set(years.map(({ column }) => column))
  const below = rows.flatMap((row) => row.cells.filter(({ column }) => columns.has(column)))
  const numbers = below.filter(({ kind }) => kind === 'number')
  const areNumbers = numbers.length > 0 && numbers.length >= 0.6 * below.length
  return areNumbers && below.filter(({ text }) => isYear(text)).length < 0.5 * below.length ? [...columns] : []
}

function textsOf({ cells }: Row): string {
  return cells.map(({ column, text }) => `${column} ${text}`).join('\n')
}

function looksLikeNames({ cells }: Row): boolean {
  const names = cells.filter(({ kind, text }) => (kind === 'text' && text.length <= maxNameLength) || isYear(text))
  const different = new Set(cells.map(({ text }) => text.toLowerCase()))
  const isSomeText = cells.some(({ kind }) => kind === 'text')
  return isSomeText && names.length >= 0.8 * cells.length && different.size >= 0.75 * cells.length
}

function isYear(text: string): boolean {
  return /^(?:(?:19|20)\d\d|2100)$/.test(text)
}

function medianWidth(rows: Row[]): number {
  const widths = rows.map(({ cells }) => cells.length).sort((first, second) => first - second)
  return widths[Math.floor(widths.length / 2)] ?? 0
}

function cellsByColumn(rows: Row[]): Map<number, Cell[]> {
  const columns = new Map<number, Cell[]>()
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    const column = columns.get(cell.column)
    if (column) column.push(cell)
    else columns.set(cell.column, [cell])
  }
  return columns
}

/** Returns the evidence that a cell names the cells below it (1), or is one of them (-1). */
function judge(name: Cell, below: Cell[]): { vote: number; differs: boolean } {
  if (below.length === 0) return { vote: 0, differs: false }
  if (name.kind !== 'text') return { vote: isYear(name.text) ? 0 : -1, differs: false }
  const others = below.filter(({ kind }) => kind !== 'text')
  if (others.length >= 0.6 * below.length) return { vote: 1, differs: true }
  return {
    vote: nameEvidence(
      name.text,
      below.map(({ text }) => text),
    ),
    differs: false,
  }
}

/** Whether cells span several columns, but not one spans all. */
function hasGroups({ cells }: Row): boolean {
  return cells.length > 1 && cells.some(({ span }) => span > 1)
}

function hasOnlyTexts({ cells }: Row): boolean {
  return cells.every(({ kind, text }) => kind === 'text' || isYear(text))
}

function groupedNames(groups: Row, row: Row): Map<number, string> {
  const names = new Map<number, string>()
  for (const { column, text, span } of groups.cells) {
    for (let index = column; index < column + span; index++) names.set(index, nameOf(text))
  }
  for (const { column, text } of row.cells) {
    const group = names.get(column)
    const name = nameOf(text)
    names.set(column, group && group !== name ? `${group} ${name}` : name)
  }
  return names
}

function nameOf(text: string): string {
  return text.slice(0, maxNameLength).replace(/\s*:$/, '')
}
