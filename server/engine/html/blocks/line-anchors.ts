import type { LineAnchor } from '../../ports'
import { attributeOf, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'

/** What is kept of the anchors of one block. */
const mostAnchors = 10_000
const longestAnchor = 200

/** A text of lines, with the anchors of those that have one. */
export interface TextLines {
  text: string
  anchors?: LineAnchor[]
}

/** Collects the lines of a block. */
export function createLines() {
  const lines: string[] = []
  const anchors: LineAnchor[] = []
  return {
    /** A line without text is left out. `elements`: what it shows, in the order of the page. */
    add(line: string, elements: Iterable<PageElement>): void {
      if (line === '') return
      const anchor = anchors.length < mostAnchors ? anchorIn(elements) : null
      if (anchor) anchors.push({ line: lines.length, anchor })
      lines.push(line)
    },
    end(): TextLines {
      return { text: lines.join('\n'), ...(anchors.length > 0 ? { anchors } : {}) }
    },
  }
}

/** The first of them that an address can name. */
function anchorIn(elements: Iterable<PageElement>): string | null {
  for (const element of elements) {
    if (element.attributes.length === 0 || element.kind & kindOf.dropped) continue
    const anchor = attributeOf(element, 'id') || (element.name === 'a' && attributeOf(element, 'name'))
    if (anchor && anchor.length <= longestAnchor) return anchor
  }
  return null
}
