import { isDropped, isInsideDropped, reveal } from '../dom/boilerplate-elements'
import { lettersOf, linkDensity, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import type { ParsedPage } from '../dom/parse'

/** Letters of a noscript element that is a page of its own, and how many times those of the page around it. */
const minLetters = 500
const minRatio = 4
const maxLinkShare = 0.5

/**
 * Reveals the noscript element in which an app has the text that its script renders, as forums do. It has headings, and
 * hardly any text is outside of it.
 */
export function revealNoscript({ body, noscripts }: ParsedPage): void {
  const [first, second] = noscripts
    .filter((element) => lettersOf(element) >= minLetters)
    .toSorted((one, other) => lettersOf(other) - lettersOf(one))
  if (!first || isInsideDropped(first) || !(first.descendantCategories & category.heading)) return
  const outside = visibleLettersOf(body)
  if (second || lettersOf(first) < minRatio * outside || linkDensity(first) > maxLinkShare) return
  reveal(first)
}

/** Counts letters outside of scripts, menus and noscript elements. */
function visibleLettersOf(element: PageElement): number {
  if (isDropped(element)) return 0
  return element.children.reduce(
    (sum, child) => sum + (typeof child === 'string' ? child.replace(/\s+/g, '').length : visibleLettersOf(child)),
    0,
  )
}
