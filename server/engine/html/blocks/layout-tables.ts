import { isDropped } from '../dom/boilerplate-elements'
import { attributeOf, descendantsOf, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'

/** Letters of a cell that holds a text of its own. */
const minLongCellLetters = 400
/** Letters outside of links: from the first on, a cell holds prose; up to the second, it may name a row. */
const minProseLetters = 200
const maxRowNameLetters = 80
/** Share of a table's text in prose cells from which on the table is layout. */
const minProseShare = 0.5

/**
 * Whether a table only arranges things: it nests tables, its cells have headings, one cell has nearly all text, or its
 * cells hold paragraphs and nothing relates rows to columns.
 */
export function isLayoutTable(table: PageElement): boolean {
  if (attributeOf(table, 'role') === 'presentation' || table.descendantCategories & category.layout) return true
  const letters = lettersOf(table)
  const elements = descendantsOf(table)
  const cells = elements.filter(({ categories }) => categories & category.cell)
  if (letters * 0.8 >= minLongCellLetters && cells.some((cell) => lettersOf(cell) >= letters * 0.8)) return true
  if (elements.some(isDataMarkup)) return false
  const proseLetters = cells.reduce((sum, cell) => sum + (isProseCell(cell) ? lettersOf(cell) : 0), 0)
  return proseLetters > 0 && proseLetters >= letters * minProseShare && !hasNamedRows(elements)
}

function isDataMarkup(element: PageElement): boolean {
  return ['th', 'caption', 'thead'].includes(element.name) && lettersOf(element) > 0
}

function isProseCell(cell: PageElement): boolean {
  return lettersOf(cell) * (1 - linkDensity(cell)) >= minProseLetters || countParagraphs(cell) > 1
}

function countParagraphs(cell: PageElement): number {
  return descendantsOf(cell).filter((element) => element.name === 'p' && !isDropped(element) && lettersOf(element) > 0)
    .length
}

/** Whether at least two rows, and half of those with text, start with a name for the cells that follow. */
function hasNamedRows(elements: PageElement[]): boolean {
  const rows = elements.filter((element) => element.name === 'tr' && lettersOf(element) > 0)
  const named = rows.filter(isNamedRow)
  return named.length >= 2 && named.length >= rows.length / 2
}

function isNamedRow(row: PageElement): boolean {
  const cells = row.children.filter((child) => typeof child !== 'string').filter((cell) => lettersOf(cell) > 0)
  const [first] = cells
  return first !== undefined && cells.length > 1 && lettersOf(first) <= maxRowNameLetters && countParagraphs(first) < 2
}
