import type { PageElement } from './element'
import { category } from './element-categories'

/** Elements whose text is one line, or a cell. */
const lineElements = new Set(['p', 'li', 'dd', 'dt', 'td', 'th', 'caption', 'figcaption', 'summary'])

/**
 * Whether an element is part of a line of text. An element that the HTML standard does not know is inline there, but
 * a box where scripts build pages of such elements: it is inline only in a line, or next to text.
 */
export function isInline({ categories, parent }: PageElement): boolean {
  if (!(categories & category.phrasing)) return false
  return !(categories & category.custom) || isLine(parent)
}

function isLine(element: PageElement | null): boolean {
  if (element === null) return false
  element.isLine ??= decideLine(element)
  return element.isLine
}

function decideLine({ name, categories, children, parent }: PageElement): boolean {
  if (lineElements.has(name) || categories & category.heading) return true
  if (children.some((child) => typeof child === 'string' && child.trim() !== '')) return true
  return categories & category.custom ? isLine(parent) : (categories & category.phrasing) !== 0
}
