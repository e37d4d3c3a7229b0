import { isDropped } from '../content/boilerplate-elements'
import { attributeOf, elementsIn, lettersOf, type PageElement } from '../dom/element'
import { textOf } from '../dom/text'
import { createLines, type TextLines } from './line-anchors'

/** Rows and columns that a cell may span; cells that say more span none, as pages use such numbers to break readers. */
const mostRows = 100
const mostColumns = 50
/** Characters of a cell that are said again where it spans; a longer text only holds its place. */
const longestRepeated = 60
/** Repeated text, as a multiple of the table's own, and besides: what is spanned beyond that is left out. */
const repeatedShare = 2
const repeatedAtLeast = 1_000

/** A cell of a row above, in a column that it reaches down to. */
interface Reaching {
  text: string
  rows: number
}

/**
 * The caption, and a line for each row. A cell stands in every row and column that it spans, so that columns stay in
 * line; a row of one cell says it once.
 */
export function tableText(table: PageElement): TextLines {
  const lines = createLines()
  const elements = elementsIn(table)
  const caption = elements.find(({ name }) => name === 'caption')
  if (caption) lines.add(textOf(caption), [caption])
  const grid = createGrid(repeatedAtLeast + repeatedShare * lettersOf(table))
  let group: PageElement | null = null
  for (const row of elements) {
    if (row.name !== 'tr' || isDropped(row) || row.standing !== 'text') continue
    if (row.parent !== group) grid.endGroup()
    group = row.parent
    lines.add(grid.lineOf(row), [row, ...elementsIn(row)])
  }
  return lines.end()
}

/** Lays rows out one after another. `left`: characters that may be repeated in all. */
function createGrid(left: number) {
  let reaching: (Reaching | undefined)[] = []

  /** What a spanned column says; null where nothing more may be repeated. */
  function repeated(text: string): string | null {
    const said = text.length > longestRepeated ? '' : text
    left -= said.length + 3
    return left >= 0 ? said : null
  }

  /** Puts the cells that reach down to this row, up to the next free column; tells whether there was one. */
  function putReaching(line: string[], next: (Reaching | undefined)[]): boolean {
    const first = line.length
    for (let cell = reaching[line.length]; cell; cell = reaching[line.length]) {
      const text = repeated(cell.text)
      if (text === null) break
      if (cell.rows > 1) next[line.length] = { text, rows: cell.rows - 1 }
      line.push(text)
    }
    return line.length > first
  }

  return {
    endGroup() {
      reaching = []
    },
    /** '' for a row that says nothing of its own. */
    lineOf(row: PageElement): string {
      const line: string[] = []
      const next: (Reaching | undefined)[] = []
      const own: string[] = []
      let isReached = false
      for (const cell of row.children) {
        if (typeof cell === 'string' || isDropped(cell)) continue
        isReached = putReaching(line, next) || isReached
        const text = textOf(cell)
        own.push(text)
        const rows = spanOf(cell, 'rowspan', mostRows)
        const columns = spanOf(cell, 'colspan', mostColumns)
        for (let column = 0; column < columns; column++) {
          const said = column === 0 ? text : repeated(text)
          if (said === null) break
          if (rows > 1) next[line.length] = { text, rows: rows - 1 }
          line.push(said)
        }
      }
      isReached = putReaching(line, next) || isReached
      reaching = next
      if (own.every((text) => text === '')) return ''
      return own.length === 1 && !isReached ? own.join('') : line.join(' | ')
    },
  }
}

/** 1 where the attribute is missing or says nothing that a page can mean; 0 is all rows that follow. */
function spanOf(cell: PageElement, name: 'rowspan' | 'colspan', most: number): number {
  const value = attributeOf(cell, name)
  if (value === null) return 1
  const span = Number.parseInt(value, 10)
  if (span === 0 && name === 'rowspan') return most
  return span >= 1 && span <= most ? span : 1
}
