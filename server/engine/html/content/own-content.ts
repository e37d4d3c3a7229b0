import { isDropped } from '../dom/boilerplate-elements'
import { descendantsOf, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { isInline } from '../dom/inline'
import type { ParsedPage } from '../dom/parse'
import { hint } from './names/class-name-hints'
import { hintsOf } from './names/class-names'

/** Articles, mains, elements for names and headings that are looked at, each. */
const maxHolders = 100
const maxNamed = 5000
/** Prose of an article, however short, whose comments are not the content. */
const minProse = 10
/** Letters of a line of the page's own, such as its telephone number. */
const minLineLetters = 15

/**
 * Whether a classified page has content of its own besides its comments, however short: in an article, or in an element
 * that declares or is named to hold the content and holds no comments.
 */
export function hasOwnContent(page: ParsedPage, withComments: ReadonlySet<PageElement>): boolean {
  const { body, mains, articles } = page
  if (articles.slice(0, maxHolders).some((element) => element.prose >= minProse && isContent(element))) return true
  const isOwn = (element: PageElement) => !withComments.has(element) && isContent(element)
  if (mains.slice(0, maxHolders).some((element) => isOwn(element) && holderOfLines(element) !== null)) return true
  const named = descendantsOf(body).slice(0, maxNamed)
  return named.some((element) => element.prose >= minProse && hintsOf(element) & hint.content && isOwn(element))
}

function isContent(element: PageElement): boolean {
  for (let node: PageElement | null = element; node; node = node.parent)
    if (node.classification !== 'content') return false
  return true
}

/** Returns the innermost element that contains all lines of content in an element, without headings; null if there are none. */
export function holderOfLines(element: PageElement): PageElement | null {
  if (element.categories & category.heading) return null
  const holders: PageElement[] = []
  let letters = element.unlinkedLetters
  for (const child of element.children) {
    if (typeof child === 'string' || isDropped(child) || child.classification !== 'content' || isInline(child)) continue
    letters -= child.unlinkedLetters
    const holder = holderOfLines(child)
    if (holder) holders.push(holder)
  }
  return letters >= minLineLetters || holders.length > 1 ? element : (holders[0] ?? null)
}
