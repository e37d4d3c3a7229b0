import { hint } from '../content/names/class-name-hints'
import { hintsOf } from '../content/names/class-names'
import { headingOf } from '../content/page-heading'
import { descendantsOf, lettersOf, type PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'

/** Elements beside the heading that are looked at, before it and after it. */
const maxBefore = 60
const maxAfter = 300
/** Letters of text after the heading until which its byline is looked for. */
const maxLettersAfter = 800
/** Letters of a line of a byline. */
const maxLineLetters = 200

const otherParts = new Set(['nav', 'aside', 'footer', 'form'])

/**
 * Returns the elements near a page's heading that may say who wrote the page and when: those after it first, then those
 * before it, the nearest first.
 */
export function bylineElements(page: ParsedPage, title: string): PageElement[] {
  const all = descendantsOf(page.body)
  const heading = headingOf(page, title)
  const position = heading ? all.indexOf(heading) : -1
  const after: PageElement[] = []
  let letters = 0
  for (const element of all.slice(position + 1, position + 1 + maxAfter)) {
    if (letters > maxLettersAfter) break
    if (element.name === 'p' || element.name === 'li') letters += lettersOf(element)
    after.push(element)
  }
  const before = heading ? all.slice(Math.max(0, position - maxBefore), position).reverse() : []
  const holders = new Set<PageElement>()
  for (let node = heading?.parent; node; node = node.parent) holders.add(node)
  return [...after, ...before].filter(
    (element) => lettersOf(element) <= maxLineLetters && !isInOtherPart(element, holders),
  )
}

/**
 * Whether an element is in a part of the page that is not about its text: navigation, comments, other pages. What holds the
 * heading, too, is about the text.
 */
function isInOtherPart(element: PageElement, holders: ReadonlySet<PageElement>): boolean {
  for (let node: PageElement | null = element; node && !holders.has(node); node = node.parent) {
    if (otherParts.has(node.name) || hintsOf(node) & (hint.comments | hint.extra | hint.consent)) return true
  }
  return false
}
