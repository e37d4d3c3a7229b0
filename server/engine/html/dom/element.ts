import { categoriesOf } from './element-categories'

/** What an element is part of: the content of the page, its boilerplate, or nothing that is read. */
export type Classification = 'content' | 'boilerplate' | 'removed'

/** An element of a page. Text nodes are strings among the children. */
export interface PageElement {
  /** Lower case. */
  readonly name: string
  /** Bits of `category`. */
  readonly categories: number
  /** Names and values in turn. Names are lower case, and only attributes that the extraction reads are kept. */
  readonly attributes: string[]
  children: readonly (PageElement | string)[]
  parent: PageElement | null
  /** Categories of all descendants. */
  descendantCategories: number
  /** Letters inside, and those of links; -1 until measured. */
  letters: number
  linkedLetters: number
  /** Whether the element is never text of the page; null until decided. */
  dropped: boolean | null
  /** Whether the element is text although it is a control or hidden. */
  isRevealed: boolean
  /** Whether the element is the heading of what follows it although it is a control. */
  isHeading: boolean
  /** Who wrote it and when, if it is a reply in a thread; '' if it is none. */
  replyHeading: string
  /** Letters that read like prose rather than like labels and links; -1 until measured. */
  prose: number
  /** Letters outside of links; 0 until measured. */
  unlinkedLetters: number
  /** What the element is part of, by its markup and its place. */
  classification: Classification
  /** Whether the element is a line of text, or a part of one; null until decided. */
  isLine: boolean | null
  /** Words of the text directly in the element, as far as they are counted; -1 until then. */
  ownWords: number
}

/** Schemes of links that say how to reach somebody, or where something is. */
const contactScheme = /^\s*(?:tel|callto|mailto|sms|geo):/i

const noChildren: readonly (PageElement | string)[] = []

export function createElement(name: string, attributes: string[], parent: PageElement | null): PageElement {
  return {
    name,
    categories: categoriesOf(name),
    attributes,
    children: noChildren,
    parent,
    descendantCategories: 0,
    letters: -1,
    linkedLetters: -1,
    dropped: null,
    isRevealed: false,
    isHeading: false,
    replyHeading: '',
    prose: -1,
    unlinkedLetters: 0,
    classification: 'content',
    isLine: null,
    ownWords: -1,
  }
}

export function append(parent: PageElement, child: PageElement | string): void {
  // Most elements have one child; an array that grew from empty reserves room for many.
  if (parent.children === noChildren) parent.children = [child]
  else (parent.children as (PageElement | string)[]).push(child)
}

/** Appends an element to its parent, and adds its categories to all ancestors. */
export function attach(element: PageElement): void {
  if (element.parent) append(element.parent, element)
  const { categories } = element
  for (let node = element.parent; node && (node.descendantCategories & categories) !== categories; node = node.parent) {
    node.descendantCategories |= categories
  }
}

/**
 * Whether a space belongs between two neighbors of one parent: a page shows one of several phrases at a time, and so writes
 * none between them ('Command', 'Ctrl'), nor between two links that are boxes.
 */
export function needsSpaceBetween(first: PageElement | string | undefined, next: PageElement | string): boolean {
  if (typeof first !== 'object' || typeof next !== 'object') return false
  return first.isRevealed || next.isRevealed || (first.name === 'a' && next.name === 'a')
}

/** Returns the value, '' for an attribute without one, or null for a missing one. */
export function attributeOf(element: PageElement, name: string): string | null {
  const { attributes } = element
  for (let index = 0; index < attributes.length; index += 2)
    if (attributes[index] === name) return attributes[index + 1] ?? ''
  return null
}

/** Whether an element is a link to a page. One to a telephone number, a mail address or a place on the map is text. */
export function isPageLink(element: PageElement): boolean {
  if (element.name !== 'a') return false
  const href = attributeOf(element, 'href')
  return href !== null && !(href.includes(':') && contactScheme.test(href))
}

export function childElements({ children }: PageElement): PageElement[] {
  return children.filter((child) => typeof child !== 'string')
}

/** Returns all descendants in document order. */
export function descendantsOf(element: PageElement): PageElement[] {
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

/** Counts the letters inside: characters that are not white space, without scripts and styles. */
export function lettersOf(element: PageElement): number {
  measure(element)
  return element.letters
}

/** Returns the share of an element's letters that are the text of links to pages, from 0 to 1. */
export function linkDensity(element: PageElement): number {
  measure(element)
  return element.letters === 0 ? 0 : element.linkedLetters / element.letters
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
    linked += child.linkedLetters
  }
  element.letters = letters
  element.linkedLetters = isPageLink(element) ? letters : linked
}

function visibleLength(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 32 && code !== 160) length++
  }
  return length
}
