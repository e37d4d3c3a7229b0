import { compile, type Options } from 'css-select'
import { attributeOf, descendantsOf, type PageElement } from './element'
import type { ParsedPage } from './parse'
import { textOf } from './text'

/** CSS selectors that a source sets for its pages. */
export interface Selectors {
  /** Elements that are the content. Pages without a match are extracted as if there were none. */
  include: readonly string[]
  /** Elements that are not content. */
  exclude: readonly string[]
}

type Node = PageElement | string

const options: Options<Node, PageElement> = {
  cacheResults: false,
  adapter: {
    isTag: (node): node is PageElement => typeof node !== 'string',
    getAttributeValue: (element, name) => attributeOf(element, name) ?? undefined,
    hasAttrib: (element, name) => attributeOf(element, name) !== null,
    getChildren: (node) => (typeof node === 'string' ? [] : [...node.children]),
    getParent: (element) => element.parent,
    getSiblings: (node) => (typeof node === 'string' ? [node] : [...(node.parent?.children ?? [node])]),
    getName: (element) => element.name,
    getText: (node) => (typeof node === 'string' ? node : textOf(node)),
    removeSubsets: (nodes) => nodes,
  },
}

const emptyClassOrId = /[.#](?![\w\\\u0080-\uffff-])/

/** Whether the text is a selector that can be compiled. */
export function isSelector(text: string): boolean {
  // The library accepts an empty text, and a class or id without a name, as selectors that match nothing.
  if (text.trim() === '' || emptyClassOrId.test(text.replace(/"[^"]*"|'[^']*'/g, ''))) return false
  try {
    compile<Node, PageElement>(text, options)
    return true
  } catch {
    return false
  }
}

/** Returns the names of the attributes that the selectors test, in lower case; the parser has to keep them. */
export function testedAttributes({ include, exclude }: Selectors): string[] {
  const named = [...include, ...exclude].flatMap((selector) => [...selector.matchAll(/\[\s*([\w-]+)/g)])
  return named.flatMap(([, name]) => (name ? [name.toLowerCase()] : []))
}

/** Removes excluded elements from the tree. Their links stay in the page's lists. */
export function removeExcluded({ body }: ParsedPage, { exclude }: Pick<Selectors, 'exclude'>): void {
  const isExcluded = matcherOf(exclude)
  if (!isExcluded) return
  for (const element of descendantsOf(body)) {
    if (element.parent && isExcluded(element)) {
      element.parent.children = element.parent.children.filter((child) => child !== element)
    }
  }
}

/** Returns the outermost included elements in document order. */
export function includedElements({ body }: ParsedPage, { include }: Pick<Selectors, 'include'>): PageElement[] {
  const isIncluded = matcherOf(include)
  const included = new Set<PageElement>()
  if (!isIncluded) return []
  for (const element of descendantsOf(body))
    if (!isWithin(element, included) && isIncluded(element)) included.add(element)
  return [...included]
}

/** Returns null without usable selectors. Stored selectors may predate validation, so unusable ones match nothing. */
function matcherOf(selectors: readonly string[]): ((element: PageElement) => boolean) | null {
  const tests = selectors.filter(isSelector).map((selector) => compile<Node, PageElement>(selector, options))
  return tests.length === 0 ? null : (element) => tests.some((test) => test(element))
}

function isWithin(element: PageElement, included: ReadonlySet<PageElement>): boolean {
  for (let node = element.parent; node; node = node.parent) if (included.has(node)) return true
  return false
}
