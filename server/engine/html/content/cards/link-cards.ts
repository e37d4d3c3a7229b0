import { isDropped } from '../../dom/boilerplate-elements'
import { attributeOf, descendantsOf, lettersOf, linkDensity, type PageElement } from '../../dom/element'
import { category } from '../../dom/element-categories'

/** Similar siblings that make a row of cards. */
const minCards = 3
/** Letters of a card. */
const maxCardLetters = 600
/** Descendants of a card that are searched for a heading. */
const maxDescendants = 60
/** Share of links below which a card has a text of its own. */
const minLinkShare = 0.25
/** Prose that must remain without the cards: this much, and this multiple of the cards' own. */
const minRemainingProse = 1000
const minRemainingRatio = 2

/**
 * Removes rows of cards that link to other pages: all outside the content, and those inside it if much more prose
 * remains. On a page of cards, the cards are the content.
 */
export function removeCards(body: PageElement, content: PageElement): void {
  if (content !== body) for (const card of cardsIn(body, content)) card.classification = 'removed'
  const cards = cardsIn(content, null).filter(({ classification }) => classification === 'content')
  const prose = cards.reduce((sum, card) => sum + card.prose, 0)
  const remaining = content.prose - prose
  if (remaining < minRemainingProse || remaining < prose * minRemainingRatio) return
  for (const card of cards) card.classification = 'removed'
  content.prose = remaining
}

/** Returns the cards of all rows in an element, except those in `except`. */
function cardsIn(element: PageElement, except: PageElement | null): PageElement[] {
  const cards: PageElement[] = []
  const groups = new Map<string, PageElement[]>()
  for (const child of element.children) {
    if (typeof child === 'string' || child === except || isDropped(child) || child.classification === 'removed')
      continue
    if (!(child.descendantCategories & category.heading)) continue
    const signature = `${child.name} ${attributeOf(child, 'class') ?? ''}`
    const group = groups.get(signature)
    if (group) group.push(child)
    else groups.set(signature, [child])
  }
  for (const group of groups.values()) {
    if (group.length >= minCards && group.every(isCard)) cards.push(...group)
    else for (const child of group) cards.push(...cardsIn(child, except))
  }
  return cards
}

/** Whether an element is short and its heading links to another page. With a text of its own, it has a picture or a date. */
function isCard(element: PageElement): boolean {
  if (lettersOf(element) > maxCardLetters || lettersOf(element) === 0) return false
  if (linkDensity(element) < minLinkShare && !announces(element)) return false
  if (element.categories & category.link)
    return (element.descendantCategories & category.heading) !== 0 && leadsToOtherPage(element)
  return hasLinkedHeading(element, { remaining: maxDescendants }, false)
}

/** Whether an element has a picture or a date, as announcements of articles have. */
function announces(element: PageElement): boolean {
  return (
    (element.descendantCategories & category.image) !== 0 || descendantsOf(element).some(({ name }) => name === 'time')
  )
}

function hasLinkedHeading(element: PageElement, budget: { remaining: number }, isInLink: boolean): boolean {
  for (const child of element.children) {
    if (typeof child === 'string' || budget.remaining-- <= 0) continue
    const isLink = isInLink || (child.name === 'a' && leadsToOtherPage(child))
    if (child.categories & category.heading && (isLink || (linkDensity(child) > 0.9 && hasExternalLink(child))))
      return true
    if (child.descendantCategories & category.heading && hasLinkedHeading(child, budget, isLink)) return true
  }
  return false
}

function hasExternalLink(heading: PageElement): boolean {
  return heading.children.some((child) => typeof child !== 'string' && child.name === 'a' && leadsToOtherPage(child))
}

function leadsToOtherPage(link: PageElement): boolean {
  const href = attributeOf(link, 'href')
  return href !== null && href !== '' && !href.startsWith('#') && !href.startsWith('javascript:')
}
