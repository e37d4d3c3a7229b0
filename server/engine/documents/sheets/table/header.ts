import type { Cell, Row } from '../workbook/cell'
import { evidenceOfName, isWrittenAsNames } from './column-names'

export interface Header {
  /** Of its last row among those that were looked at. */
  index: number
  /** Rows that it takes: two where cells of the first stand over several of the second. */
  rows: number
  /** What the columns are called; some are not. */
  names: Map<number, string>
}

/** Rows from which on none is looked for, and rows below that it is compared with. */
const latest = 15
const compared = 30
const longestName = 100
/** Votes for a row that are enough. */
const enough = 0.5

/**
 * The first row that names the columns below it: mostly texts, each once, over values of another kind, or over texts that
 * are written otherwise; or years over numbers. Null where none is sure.
 */
export function findHeader(rows: Row[]): Header | null {
  for (const index of rows.slice(0, latest).keys()) {
    const found = headerAt(rows, index)
    if (found === null) continue
    const below = hasGroups(found.row) ? headerAt(rows, index + 1) : null
    if (below && isOfTexts(below.row)) return { index: index + 1, rows: 2, names: groupedNames(found.row, below.row) }
    const above = rows[index - 1]
    if (above && hasGroups(above) && isOfTexts(above)) {
      return { index, rows: 2, names: groupedNames(above, found.row) }
    }
    return { index, rows: 1, names: new Map(found.row.cells.map((cell) => [cell.column, nameOf(cell.text)])) }
  }
  return null
}

function headerAt(rows: Row[], index: number): { row: Row } | null {
  const row = rows[index]
  if (row === undefined) return null
  const sameTexts = textsOf(row)
  const below = rows.slice(index + 1, index + 1 + compared).filter((other) => textsOf(other) !== sameTexts)
  if (below.length === 0) return null
  const years = yearsOver(row, below)
  if (years.length === 0 && !looksLikeNames(row)) return null
  const width = medianWidth(below)
  if (row.cells.length < Math.max(Math.min(2, width), 0.6 * width)) return null
  const cellsBelow = byColumn(below)
  const columns = row.cells.map((cell) => ({ cell, ...judge(cell, cellsBelow.get(cell.column) ?? []) }))
  const other = new Set([...columns.filter(({ differs }) => differs).map(({ cell }) => cell.column), ...years])
  // Below a row of values of its own kinds, a row of texts is a remark.
  const above = rows.slice(0, index)
  const isValueAbove = ({ cells }: Row) => cells.some(({ column, kind }) => kind !== 'text' && other.has(column))
  if (other.size > 0 ? above.some(isValueAbove) : above.some(({ cells }) => cells.length >= 0.6 * width)) return null
  const asNames = isWrittenAsNames(row.cells, below) ? enough : 0
  const asYears = years.length > 0 ? enough : 0
  const score = columns.reduce((sum, { vote }) => sum + vote, asNames + asYears)
  return score >= enough ? { row } : null
}

/**
 * Columns that are called by years: two or more different ones over numbers that are mostly none, with texts or a blank
 * corner beside them. Empty where the row is none of this.
 */
function yearsOver({ cells }: Row, rows: Row[]): number[] {
  const years = cells.filter(({ text }) => isYear(text))
  if (years.length < 2 || new Set(years.map(({ text }) => text)).size < years.length) return []
  const others = cells.filter(({ text }) => !isYear(text))
  if (others.some(({ kind, text }) => kind !== 'text' || text.length > longestName)) return []
  // Without others, what stands before the first year is a blank corner.
  const first = Math.min(...years.map(({ column }) => column))
  const cornered = rows.filter((row) => row.cells.some(({ column }) => column < first))
  if (others.length === 0 && cornered.length < 0.6 * rows.length) return []
  const columns = new Set(years.map(({ column }) => column))
  const below = rows.flatMap((row) => row.cells.filter(({ column }) => columns.has(column)))
  const numbers = below.filter(({ kind }) => kind === 'number')
  const isOfNumbers = numbers.length > 0 && numbers.length >= 0.6 * below.length
  return isOfNumbers && below.filter(({ text }) => isYear(text)).length < 0.5 * below.length ? [...columns] : []
}

function textsOf({ cells }: Row): string {
  return cells.map(({ column, text }) => `${column} ${text}`).join('\n')
}

function looksLikeNames({ cells }: Row): boolean {
  const names = cells.filter(({ kind, text }) => (kind === 'text' && text.length <= longestName) || isYear(text))
  const different = new Set(cells.map(({ text }) => text.toLowerCase()))
  const isSomeText = cells.some(({ kind }) => kind === 'text')
  return isSomeText && names.length >= 0.8 * cells.length && different.size >= 0.75 * cells.length
}

function isYear(text: string): boolean {
  return /^(?:(?:19|20)\d\d|2100)$/.test(text)
}

function medianWidth(rows: Row[]): number {
  const widths = rows.map(({ cells }) => cells.length).sort((one, other) => one - other)
  return widths[Math.floor(widths.length / 2)] ?? 0
}

function byColumn(rows: Row[]): Map<number, Cell[]> {
  const columns = new Map<number, Cell[]>()
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    const column = columns.get(cell.column)
    if (column) column.push(cell)
    else columns.set(cell.column, [cell])
  }
  return columns
}

/** How much speaks for a cell to name what is below it (1), or to be one of it (-1). */
function judge(name: Cell, below: Cell[]): { vote: number; differs: boolean } {
  if (below.length === 0) return { vote: 0, differs: false }
  if (name.kind !== 'text') return { vote: isYear(name.text) ? 0 : -1, differs: false }
  const others = below.filter(({ kind }) => kind !== 'text')
  if (others.length >= 0.6 * below.length) return { vote: 1, differs: true }
  return {
    vote: evidenceOfName(
      name.text,
      below.map(({ text }) => text),
    ),
    differs: false,
  }
}

/** Cells that stand over several columns, though not one over all. */
function hasGroups({ cells }: Row): boolean {
  return cells.length > 1 && cells.some(({ span }) => span > 1)
}

function isOfTexts({ cells }: Row): boolean {
  return cells.every(({ kind, text }) => kind === 'text' || isYear(text))
}

function groupedNames(groups: Row, row: Row): Map<number, string> {
  const names = new Map<number, string>()
  for (const { column, text, span } of groups.cells) {
    for (let at = column; at < column + span; at++) names.set(at, nameOf(text))
  }
  for (const { column, text } of row.cells) {
    const group = names.get(column)
    const name = nameOf(text)
    names.set(column, group && group !== name ? `${group} ${name}` : name)
  }
  return names
}

function nameOf(text: string): string {
  return text.slice(0, longestName).replace(/\s*:$/, '')
}
