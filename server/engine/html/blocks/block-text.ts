import { isDropped, isPermalinkIcon } from '../dom/boilerplate-elements'
import { attributeOf, childElements, descendantsOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { removeInvisible, textOf, verbatimText } from '../dom/text'
import { createLineCollector, type TextLines } from './line-anchors'

/** Returns the text of a code block verbatim, without leading and trailing empty lines. */
export function codeText(element: PageElement): string {
  return removeInvisible(verbatimText(element))
    .replace(/\r\n?|[\f\v]/g, '\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

/** Returns the text of a list: one line per item, nested items indented by two spaces. */
export function listText(list: PageElement): TextLines {
  const lines = createLineCollector()
  addLines(list, 0, lines)
  return lines.end()
}

function addLines(list: PageElement, depth: number, lines: ReturnType<typeof createLineCollector>): void {
  let number = Number.parseInt(attributeOf(list, 'start') ?? '1', 10) || 1
  let hasItem = false
  for (const item of childElements(list)) {
    if (isDropped(item) || item.classification !== 'content') continue
    const inner: PageElement[] = item.categories & category.list ? [item] : []
    const text = inner.length > 0 ? '' : textOf(item, category.list, inner)
    const mark = list.name === 'ol' ? `${number++}.` : '-'
    if (text) lines.add(`${'  '.repeat(depth)}${mark} ${text}`, elementsWithoutLists(item))
    // A list in place of an item belongs to the item before it.
    const hasParent = text !== '' || (hasItem && (item.categories & category.list) !== 0)
    for (const nested of inner) addLines(nested, hasParent ? depth + 1 : depth, lines)
    hasItem ||= text !== ''
  }
}

/** Returns an item and its descendants, except nested lists, whose items have lines of their own. */
function elementsWithoutLists(item: PageElement, found: PageElement[] = []): PageElement[] {
  found.push(item)
  for (const inner of childElements(item)) if (!(inner.categories & category.list)) elementsWithoutLists(inner, found)
  return found
}

/** Returns the id by which an address can point to a heading: that of its permalink, or of an anchor inside it. */
export function anchorOfHeading(heading: PageElement): string | null {
  let first: string | null = null
  for (const inner of descendantsOf(heading)) {
    const id = attributeOf(inner, 'id')
    first ||= id
    if (inner.name !== 'a') continue
    if (isPermalinkIcon(inner)) return decodeFragment(attributeOf(inner, 'href')?.split('#')[1] ?? '') || null
    const name = id || attributeOf(inner, 'name')
    if (name) return name
  }
  return first
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
