import { isDropped } from '../dom/boilerplate-elements'
import { attributeOf, descendantsOf, lettersOf, type PageElement } from '../dom/element'
import { textOf } from '../dom/text'
import { createLineCollector, type TextLines } from './line-anchors'

/** Rows and columns that a cell may span. Larger values count as 1: pages use them to break readers. */
const maxRowSpan = 100
const maxColumnSpan = 50
/** Characters of a cell whose text is repeated where it spans; longer texts leave an empty cell. */
const maxRepeatedLength = 60
/** The budget of repeated text: this multiple of the table's own text, plus a constant. */
const repeatedPerOwn = 2
const minRepeated = 1_000

/** A cell that extends down from a row above. */
interface SpanningCell {
  text: string
  rows: number
}

/**
 * Returns the caption and a line for each row. A cell appears in every row and column that it spans, so that columns
 * stay aligned; a row of one cell appears once.
 */
export function tableText(table: PageElement): TextLines {
  const lines = createLineCollector()
  const elements = descendantsOf(table)
  const caption = elements.find(({ name }) => name === 'caption')
  if (caption) lines.add(textOf(caption), [caption])
  const grid = createGrid(minRepeated + repeatedPerOwn * lettersOf(table))
  let group: PageElement | null = null
  for (const row of elements) {
    if (row.name !== 'tr' || isDropped(row) || row.classification !== 'content') continue
    if (row.parent !== group) grid.endGroup()
    group = row.parent
    lines.add(grid.lineOf(row), [row, ...descendantsOf(row)])
  }
  return lines.end()
}

/** Lays out rows one after another. `budget` is the number of characters that may be repeated in all. */
function createGrid(budget: number) {
  let spanning: (SpanningCell | undefined)[] = []

  /** Returns the text of a spanned column; null once the budget is spent. */
  function repeated(text: string): string | null {
    const cellText = text.length > maxRepeatedLength ? '' : text
    budget -= cellText.length + 3
    return budget >= 0 ? cellText : null
  }

  /** Adds the cells that extend down to this row, up to the next free column; returns whether there were any. */
  function addSpanning(line: string[], next: (SpanningCell | undefined)[]): boolean {
    const first = line.length
    for (let cell = spanning[line.length]; cell; cell = spanning[line.length]) {
      const text = repeated(cell.text)
      if (text === null) break
      if (cell.rows > 1) next[line.length] = { text, rows: cell.rows - 1 }
      line.push(text)
    }
    return line.length > first
  }

  return {
    endGroup() {
      spanning = []
    },
    /** Returns '' for a row without text of its own. */
    lineOf(row: PageElement): string {
      const line: string[] = []
      const next: (SpanningCell | undefined)[] = []
      const own: string[] = []
      let hasSpanned = false
      for (const cell of row.children) {
        if (typeof cell === 'string' || isDropped(cell)) continue
        hasSpanned = addSpanning(line, next) || hasSpanned
        const text = textOf(cell)
        own.push(text)
        const rows = spanOf(cell, 'rowspan', maxRowSpan)
        const columns = spanOf(cell, 'colspan', maxColumnSpan)
        for (let column = 0; column < columns; column++) {
          const cellText = column === 0 ? text : repeated(text)
          if (cellText === null) break
          if (rows > 1) next[line.length] = { text, rows: rows - 1 }
          line.push(cellText)
        }
      }
      hasSpanned = addSpanning(line, next) || hasSpanned
      spanning = next
      if (own.every((text) => text === '')) return ''
      return own.length === 1 && !hasSpanned ? own.join('') : line.join(' | ')
    },
  }
}

/** Returns 1 for a missing or implausible value. A rowspan of 0 means all rows that follow. */
function spanOf(cell: PageElement, name: 'rowspan' | 'colspan', max: number): number {
  const value = attributeOf(cell, name)
  if (value === null) return 1
  const span = Number.parseInt(value, 10)
  if (span === 0 && name === 'rowspan') return max
  return span >= 1 && span <= max ? span : 1
}
