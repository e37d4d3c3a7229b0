import type { Cell, Row } from './sheet-cell'

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

/**
 * The first row that names the columns below it: mostly texts, each once, over values of another kind, or over texts that
 * are written otherwise. Null where none is sure. `isUsual`: where nothing speaks against it, the first row is taken.
 */
export function findHeader(rows: Row[], isUsual: boolean): Header | null {
  for (const index of rows.slice(0, latest).keys()) {
    const found = headerAt(rows, index, isUsual && index === 0)
    if (found === null) continue
    const below = hasGroups(found.row) ? headerAt(rows, index + 1, false) : null
    if (below && isOfTexts(below.row)) return { index: index + 1, rows: 2, names: groupedNames(found.row, below.row) }
    const above = rows[index - 1]
    if (above && hasGroups(above) && isOfTexts(above)) {
      return { index, rows: 2, names: groupedNames(above, found.row) }
    }
    return { index, rows: 1, names: new Map(found.row.cells.map((cell) => [cell.column, nameOf(cell.text)])) }
  }
  return null
}

function headerAt(rows: Row[], index: number, isUsual: boolean): { row: Row } | null {
  const row = rows[index]
  if (row === undefined) return null
  const sameTexts = textsOf(row)
  const below = rows.slice(index + 1, index + 1 + compared).filter((other) => textsOf(other) !== sameTexts)
  if (below.length === 0 || !looksLikeNames(row)) return null
  const width = medianWidth(below)
  if (row.cells.length < Math.max(Math.min(2, width), 0.6 * width)) return null
  const columns = row.cells.map((cell) => ({ cell, ...judge(cell, below) }))
  const score = columns.reduce((sum, { vote }) => sum + vote, 0)
  const other = columns.filter(({ differs }) => differs).map(({ cell }) => cell.column)
  // Below a row of values of its own kinds, a row of texts is a remark.
  const above = rows.slice(0, index)
  const isValueAbove = ({ cells }: Row) => cells.some(({ column, kind }) => kind !== 'text' && other.includes(column))
  if (other.length > 0 ? above.some(isValueAbove) : above.some(({ cells }) => cells.length >= 0.6 * width)) return null
  if (score >= 0.5) return { row }
  const isPlain = columns.every(({ cell, vote }) => vote >= 0 && /^\p{L}[^\d.!?]{0,39}$/u.test(cell.text))
  return isPlain && row.cells.length >= width && width >= (isUsual ? 2 : 3) && score >= 0 ? { row } : null
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
  return /^(?:19|20)\d\d$/.test(text)
}

function medianWidth(rows: Row[]): number {
  const widths = rows.map(({ cells }) => cells.length).sort((one, other) => one - other)
  return widths[Math.floor(widths.length / 2)] ?? 0
}

/** How much speaks for a cell to name what is below it (1), or to be one of it (-1). */
function judge(name: Cell, rows: Row[]): { vote: number; differs: boolean } {
  const below = rows.flatMap(({ cells }) => cells.find(({ column }) => column === name.column) ?? [])
  if (below.length === 0) return { vote: 0, differs: false }
  if (name.kind !== 'text') return { vote: isYear(name.text) ? 0 : -1, differs: false }
  const others = below.filter(({ kind }) => kind !== 'text')
  if (others.length >= 0.6 * below.length) return { vote: 1, differs: true }
  const texts = below.map(({ text }) => text.toLowerCase())
  if (texts.includes(name.text.toLowerCase())) return { vote: -1, differs: false }
  return { vote: isWrittenOtherwise(name.text, texts) ? 0.5 : 0, differs: false }
}

/** Values that come again and again, have marks that the name has not, or are much longer. */
function isWrittenOtherwise(name: string, texts: string[]): boolean {
  if (texts.length >= 4 && new Set(texts).size <= 0.6 * texts.length) return true
  const marked = texts.filter((text) => /[\d@/]/.test(text))
  if (marked.length >= 0.8 * texts.length && !/[\d@/]/.test(name)) return true
  const length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  return texts.length >= 2 && length >= 2.5 * name.length
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
