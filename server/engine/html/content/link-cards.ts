import { attributeOf, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { isDropped } from './boilerplate-elements'

/** Neighbours of one make that are a row of cards. */
const fewest = 3
/** A card says no more than this. */
const longest = 600
/** Elements of a card that are looked at. */
const mostInside = 60
/** So much has to be left to read, and so much more than in the cards. */
const enoughLeft = 1000
const timesCards = 2

/**
 * Marks rows of cards that lead to other pages: those outside of the content as not to be read at all, those inside of it
 * as standing beside it, where much more than they is left to read; on a page of cards they are the content.
 */
export function markCards(body: PageElement, content: PageElement): void {
  for (const card of cardsIn(body, content)) card.standing = 'gone'
  const cards = cardsIn(content, null).filter(({ standing }) => standing === 'text')
  const prose = cards.reduce((sum, card) => sum + card.prose, 0)
  const left = content.prose - prose
  if (left < enoughLeft || left < prose * timesCards) return
  for (const card of cards) card.standing = 'gone'
  content.prose = left
}

/** The cards of all rows inside of an element, without those in `except`. */
function cardsIn(element: PageElement, except: PageElement | null): PageElement[] {
  const cards: PageElement[] = []
  const groups = new Map<string, PageElement[]>()
  for (const child of element.children) {
    if (typeof child === 'string' || child === except || isDropped(child) || child.standing === 'gone') continue
    if (!(child.holds & kindOf.heading)) continue
    const make = `${child.name} ${attributeOf(child, 'class') ?? ''}`
    const group = groups.get(make)
    if (group) group.push(child)
    else groups.set(make, [child])
  }
  for (const group of groups.values()) {
    if (group.length >= fewest && group.every(isCard)) cards.push(...group)
    else for (const child of group) cards.push(...cardsIn(child, except))
  }
  return cards
}

/** Short, with a heading that is a link to another page. */
function isCard(element: PageElement): boolean {
  if (lettersOf(element) > longest || lettersOf(element) === 0) return false
  if (element.kind & kindOf.link) return (element.holds & kindOf.heading) !== 0 && leadsElsewhere(element)
  return hasLinkedHeading(element, { left: mostInside }, false)
}

function hasLinkedHeading(element: PageElement, looks: { left: number }, isInLink: boolean): boolean {
  for (const child of element.children) {
    if (typeof child === 'string' || looks.left-- <= 0) continue
    const isLink = isInLink || (child.name === 'a' && leadsElsewhere(child))
    if (child.kind & kindOf.heading && (isLink || (linkDensity(child) > 0.9 && leadsOut(child)))) return true
    if (child.holds & kindOf.heading && hasLinkedHeading(child, looks, isLink)) return true
  }
  return false
}

function leadsOut(heading: PageElement): boolean {
  return heading.children.some((child) => typeof child !== 'string' && child.name === 'a' && leadsElsewhere(child))
}

function leadsElsewhere(link: PageElement): boolean {
  const href = attributeOf(link, 'href')
  return href !== null && href !== '' && !href.startsWith('#') && !href.startsWith('javascript:')
}
