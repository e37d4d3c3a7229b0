import { isAnchorMark, isDropped } from '../content/boilerplate-elements'
import { attributeOf, elementsIn, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { dropInvisible, textOf, verbatim } from '../dom/text'
import { createLines, type TextLines } from './line-anchors'

/** Code as it stands, without empty lines around it. */
export function codeOf(element: PageElement): string {
  return dropInvisible(verbatim(element)).replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd()
}

/** One line an item, nested items indented. */
export function listText(list: PageElement): TextLines {
  const lines = createLines()
  putLines(list, 0, lines)
  return lines.end()
}

function putLines(list: PageElement, depth: number, lines: ReturnType<typeof createLines>): void {
  let number = Number.parseInt(attributeOf(list, 'start') ?? '1', 10) || 1
  for (const item of innerElements(list)) {
    if (isDropped(item) || item.standing !== 'text') continue
    const inner: PageElement[] = item.kind & kindOf.list ? [item] : []
    const text = inner.length > 0 ? '' : textOf(item, kindOf.list, inner)
    const mark = list.name === 'ol' ? `${number++}.` : '-'
    if (text) lines.add(`${'  '.repeat(depth)}${mark} ${text}`, ownElements(item))
    for (const nested of inner) putLines(nested, depth + 1, lines)
  }
}

/** An item and what is inside of it, without the lists inside, whose lines follow. */
function ownElements(item: PageElement, found: PageElement[] = []): PageElement[] {
  found.push(item)
  for (const inner of innerElements(item)) if (!(inner.kind & kindOf.list)) ownElements(inner, found)
  return found
}

/** The elements directly inside of one. */
function innerElements(element: PageElement): PageElement[] {
  return element.children.filter((child) => typeof child !== 'string')
}

/** Where the heading itself names an address: its own mark, or an anchor inside. */
export function permalinkOf(heading: PageElement): string | null {
  let first: string | null = null
  for (const inner of elementsIn(heading)) {
    const id = attributeOf(inner, 'id')
    first ||= id
    if (inner.name !== 'a') continue
    if (isAnchorMark(inner)) return decodeFragment(attributeOf(inner, 'href')?.split('#')[1] ?? '') || null
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
