import { isDropped } from '../content/boilerplate-elements'
import { attributeOf, elementsIn, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'

/** A cell of so many letters holds a text of its own. */
const longCell = 400
/** Letters outside of links from which on a cell holds running text, and below which it may name a row. */
const runningText = 200
const longestName = 80
/** Share of a table's text in such cells from which on the table only arranges it. */
const mostly = 0.5

/**
 * A table that only arranges things: nested ones, cells with headings, one cell with nearly all of the text, or cells
 * of paragraphs where nothing says that rows and columns belong together.
 */
export function isLayout(table: PageElement): boolean {
  if (attributeOf(table, 'role') === 'presentation' || table.holds & kindOf.layout) return true
  const letters = lettersOf(table)
  const elements = elementsIn(table)
  const cells = elements.filter(({ kind }) => kind & kindOf.cell)
  if (letters * 0.8 >= longCell && cells.some((cell) => lettersOf(cell) >= letters * 0.8)) return true
  if (elements.some(saysData)) return false
  const arranged = cells.reduce((sum, cell) => sum + (isProse(cell) ? lettersOf(cell) : 0), 0)
  return arranged > 0 && arranged >= letters * mostly && !hasNamedRows(elements)
}

function saysData(element: PageElement): boolean {
  return ['th', 'caption', 'thead'].includes(element.name) && lettersOf(element) > 0
}

function isProse(cell: PageElement): boolean {
  return lettersOf(cell) * (1 - linkDensity(cell)) >= runningText || paragraphsIn(cell) > 1
}

function paragraphsIn(cell: PageElement): number {
  return elementsIn(cell).filter((element) => element.name === 'p' && !isDropped(element) && lettersOf(element) > 0)
    .length
}

/** At least two rows, and half of all that say something, start with what names the cells beside it. */
function hasNamedRows(elements: PageElement[]): boolean {
  const rows = elements.filter((element) => element.name === 'tr' && lettersOf(element) > 0)
  const named = rows.filter(isNamed)
  return named.length >= 2 && named.length >= rows.length / 2
}

function isNamed(row: PageElement): boolean {
  const cells = row.children.filter((child) => typeof child !== 'string').filter((cell) => lettersOf(cell) > 0)
  const [first] = cells
  return first !== undefined && cells.length > 1 && lettersOf(first) <= longestName && paragraphsIn(first) < 2
}
