import { kindsOf } from './element-categories'

export type Standing = 'text' | 'beside' | 'gone'

/** An element of a page. Text stands among the children as it is. */
export interface PageElement {
  /** Lower case. */
  readonly name: string
  /** Bits of `kindOf`. */
  readonly kind: number
  /** Name and value by turns; the names are lower case and only those that reading a page asks for. */
  readonly attributes: string[]
  children: readonly (PageElement | string)[]
  readonly parent: PageElement | null
  /** Kinds of all elements inside. */
  holds: number
  /** Characters inside that are no white space, and those of links; -1 until somebody asks. */
  letters: number
  linked: number
  /** Whether it is no text of the page; null until somebody asks. */
  dropped: boolean | null
  /** Letters of it that read like text rather than like labels and links; -1 until the page is weighed. */
  prose: number
  /** Letters of it that are no link text; 0 until then. */
  plain: number
  /** Whether it is text of the page, stands beside it, or is not to be read at all. */
  standing: Standing
}

const noChildren: readonly (PageElement | string)[] = []

export function createElement(name: string, attributes: string[], parent: PageElement | null): PageElement {
  return {
    name,
    kind: kindsOf(name),
    attributes,
    children: noChildren,
    parent,
    holds: 0,
    letters: -1,
    linked: -1,
    dropped: null,
    prose: -1,
    plain: 0,
    standing: 'text',
  }
}

/** Puts text or an element at the end of an element. */
export function append(parent: PageElement, child: PageElement | string): void {
  // Most elements have one child, and an array that grew to hold it takes room for many.
  if (parent.children === noChildren) parent.children = [child]
  else (parent.children as (PageElement | string)[]).push(child)
}

/** Puts an element at the end of its parent. */
export function attach(element: PageElement): void {
  if (element.parent) append(element.parent, element)
  for (let above = element.parent; above && (above.holds | element.kind) !== above.holds; above = above.parent) {
    above.holds |= element.kind
  }
}

/** The value, '' for an attribute without one, or null. */
export function attributeOf(element: PageElement, name: string): string | null {
  const { attributes } = element
  for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1] ?? ''
  return null
}

/** All elements inside of one, in the order of the page. */
export function elementsIn(element: PageElement): PageElement[] {
  const found: PageElement[] = []
  collect(element, found)
  return found
}

function collect(element: PageElement, found: PageElement[]): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    found.push(child)
    collect(child, found)
  }
}

/** Characters of an element that are no white space; scripts and styles have none. */
export function lettersOf(element: PageElement): number {
  measure(element)
  return element.letters
}

/** Share of an element's text that is link text, 0 to 1. */
export function linkDensity(element: PageElement): number {
  measure(element)
  return element.letters === 0 ? 0 : element.linked / element.letters
}

function measure(element: PageElement): void {
  if (element.letters >= 0) return
  let letters = 0
  let linked = 0
  for (const child of element.children) {
    if (typeof child === 'string') {
      letters += visibleLength(child)
      continue
    }
    if (child.name === 'script' || child.name === 'style') continue
    measure(child)
    letters += child.letters
    linked += child.linked
  }
  element.letters = letters
  element.linked = element.name === 'a' && attributeOf(element, 'href') !== null ? letters : linked
}

function visibleLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 32 && code !== 160) length++
  }
  return length
}
