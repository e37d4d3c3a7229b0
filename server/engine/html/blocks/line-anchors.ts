import type { LineAnchor } from '../../ports/extractor'
import { attributeOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'

/** Limits for the anchors of one block. */
const maxAnchors = 10_000
const maxAnchorLength = 200

/** Lines of text, with the anchors of those that have one. */
export interface TextLines {
  text: string
  anchors?: LineAnchor[]
}

export function createLineCollector() {
  const lines: string[] = []
  const anchors: LineAnchor[] = []
  return {
    /** Adds a line unless it is empty. `elements` are those that it shows, in document order. */
    add(line: string, elements: Iterable<PageElement>): void {
      if (line === '') return
      const anchor = anchors.length < maxAnchors ? firstAnchor(elements) : null
      if (anchor) anchors.push({ line: lines.length, anchor })
      lines.push(line)
    },
    end(): TextLines {
      return { text: lines.join('\n'), ...(anchors.length > 0 ? { anchors } : {}) }
    },
  }
}

/** Returns the first id or name that an address can point to. */
function firstAnchor(elements: Iterable<PageElement>): string | null {
  for (const element of elements) {
    if (element.attributes.length === 0 || element.categories & category.dropped) continue
    const anchor = attributeOf(element, 'id') || (element.name === 'a' && attributeOf(element, 'name'))
    if (anchor && anchor.length <= maxAnchorLength) return anchor
  }
  return null
}
