import { compile, type Options } from 'css-select'
import { attributeOf, elementsIn, type PageElement } from './element'
import type { ParsedPage } from './parse'
import { textOf } from './text'

/** What a person says of the pages of a source, as CSS selectors. */
export interface Selectors {
  /** The content of a page. A page that has nothing of the kind is read as without them. */
  include: readonly string[]
  /** No content of a page. */
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

const namelessMark = /[.#](?![\w\\\u0080-\uffff-])/

/** Whether this is a selector that can be used. */
export function isSelector(text: string): boolean {
  // The library takes nothing, and a mark without a name, for selectors that match nothing.
  if (text.trim() === '' || namelessMark.test(text.replace(/"[^"]*"|'[^']*'/g, ''))) return false
  try {
    compile<Node, PageElement>(text, options)
    return true
  } catch {
    return false
  }
}

/** Attributes that a page's reader has to keep for these selectors. */
export function attributesIn({ include, exclude }: Selectors): string[] {
  const named = [...include, ...exclude].flatMap((selector) => [...selector.matchAll(/\[\s*([\w-]+)/g)])
  return named.flatMap(([, name]) => (name ? [name.toLowerCase()] : []))
}

/** Takes out of the page what is no content by the selectors. Its links stay known. */
export function takeOut({ body }: ParsedPage, { exclude }: Pick<Selectors, 'exclude'>): void {
  const isOut = matcherOf(exclude)
  if (!isOut) return
  for (const element of elementsIn(body)) {
    if (element.parent && isOut(element)) {
      element.parent.children = element.parent.children.filter((child) => child !== element)
    }
  }
}

/** The outermost elements that are the content by the selectors, in the order of the page. */
export function chosenIn({ body }: ParsedPage, { include }: Pick<Selectors, 'include'>): PageElement[] {
  const isIn = matcherOf(include)
  const chosen = new Set<PageElement>()
  if (isIn) for (const element of elementsIn(body)) if (!isInside(element, chosen) && isIn(element)) chosen.add(element)
  return [...chosen]
}

/** A selector that cannot be used matches nothing: one was stored before it was looked at, by another version. */
function matcherOf(selectors: readonly string[]): ((element: PageElement) => boolean) | null {
  const tests = selectors.filter(isSelector).map((selector) => compile<Node, PageElement>(selector, options))
  return tests.length === 0 ? null : (element) => tests.some((test) => test(element))
}

function isInside(element: PageElement, chosen: ReadonlySet<PageElement>): boolean {
  for (let above = element.parent; above; above = above.parent) if (chosen.has(above)) return true
  return false
}
