import { isDropped } from './boilerplate'
import { kindOf } from './element-kinds'
import { attributeOf, lettersOf, linkDensity, type PageElement } from './page-element'

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
 * Marks rows of cards that lead to other pages as standing beside the content, where much more than they is left to
 * read; on a page of cards they are the content.
 */
export function markCards(content: PageElement): void {
  const cards = cardsIn(content)
  const prose = cards.reduce((sum, card) => sum + card.prose, 0)
  const left = content.prose - prose
  if (left < enoughLeft || left < prose * timesCards) return
  for (const card of cards) card.standing = 'beside'
  content.prose = left
}

function cardsIn(element: PageElement): PageElement[] {
  const cards: PageElement[] = []
  const groups = new Map<string, PageElement[]>()
  for (const child of element.children) {
    if (
      typeof child === 'string' ||
      child.standing !== 'text' ||
      isDropped(child) ||
      !(child.holds & kindOf.heading || child.kind & kindOf.link)
    )
      continue
    const make = `${child.name} ${attributeOf(child, 'class') ?? ''}`
    const group = groups.get(make)
    if (group) group.push(child)
    else groups.set(make, [child])
  }
  for (const group of groups.values()) {
    if (group.length >= fewest && group.every(isCard)) cards.push(...group)
    else for (const child of group) cards.push(...cardsIn(child))
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
