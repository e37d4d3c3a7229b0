import { attributeOf, lettersOf, linkDensity, type PageElement, type Standing } from '../dom/element'
import { kindOf } from '../dom/element-categories'
import { saysBeside } from './boilerplate-elements'
import { named } from './class-name-hints'
import { namesOf } from './class-names'

/** Prose that is enough for a page. */
const enough = 250
/** Prose of a paragraph, and neighbours among which one is looked for. */
const paragraph = 100
const mostNeighbours = 50
/** Prose of a form that has no more than labels. */
const label = 60
/** A line about the text is not longer. */
const longestMeta = 160
/** Elements whose own text is a line. */
const inLines = new Set(['p', 'li', 'dd', 'blockquote'])

/** What is known of a page before its elements are judged. */
export interface PageOutline {
  /** Elements around the heading of the page, and around what says of itself that it is the content. */
  certain: ReadonlySet<PageElement>
  /** Prose of the whole page. */
  total: number
  /** All letters of it. */
  letters: number
  /** What readers write is the text. */
  isForum: boolean
  /** Bits of names that say nothing on this page. */
  usual: number
}

/** Judges an element by its kind, its names, its links and its share of the page. */
export function standingOf(element: PageElement, outline: PageOutline): Standing {
  if (outline.certain.has(element) || isPart(element)) return 'text'
  const names = namesOf(element) & ~outline.usual
  if (names & named.consent && !isMost(element, outline)) return 'gone'
  if (names & named.comments && !outline.isForum) return 'gone'
  if (!isBeside(element, names, outline)) return 'text'
  // Of a form that explains nothing only labels would be left.
  return element.name === 'form' && element.prose < label ? 'gone' : 'beside'
}

/** Part of a line, of a table or of code: it stays where it is. */
function isPart(element: PageElement): boolean {
  if (element.kind & (kindOf.heading | kindOf.cell | kindOf.rows) || element.name === 'pre' || element.name === 'dt')
    return true
  return (element.kind & kindOf.phrasing) !== 0 && isInLine(element)
}

/** A phrase in a line of text, whatever its name. */
function isInLine({ parent, prose, holds }: PageElement): boolean {
  if (!parent || holds & kindOf.block) return false
  if (parent.kind & (kindOf.heading | kindOf.cell) || parent.name === 'dt') return true
  const isLine = (parent.kind & kindOf.phrasing) !== 0 || inLines.has(parent.name)
  return isLine && parent.prose - prose >= 50
}

function isBeside(element: PageElement, names: number, outline: PageOutline): boolean {
  const { name } = element
  if (name === 'footer' || attributeOf(element, 'role') === 'contentinfo' || names & named.foot) return true
  if (saysBeside(element)) return !isMost(element, outline)
  if (name === 'form') return element.prose < 200 && !isMost(element, outline)
  if (name === 'header' && element.prose < label) return true
  if (names === 0) return false
  const isNamedContent = (names & named.content) !== 0
  if (names & named.column) return !isNamedContent && !isBox(element) && !isMostOfDeclared(element, outline)
  if (names & (named.extra | named.widget | named.advert)) return !isNamedContent && !isMost(element, outline)
  if (names & named.meta && lettersOf(element) <= longestMeta) return true
  return (names & named.listing) !== 0 && linkDensity(element) > 0.4 && !isMost(element, outline)
}

/** Nearly all of the page, or more than half of it and text rather than links. */
function isMost(element: PageElement, outline: PageOutline): boolean {
  if (element.prose <= outline.total / 2) return false
  // Where hardly anything reads like text, a note of two lines is most of it.
  if (outline.total < 2 * enough && lettersOf(element) * 4 < outline.letters) return false
  return outline.total - element.prose < enough || linkDensity(element) < 0.2 || isInDeclared(element)
}

/** A box between the paragraphs of a text, which is called a side bar, too. */
function isBox(element: PageElement): boolean {
  if (element.prose < paragraph || linkDensity(element) > 0.25) return false
  const neighbours = element.parent?.children.slice(0, mostNeighbours) ?? []
  return neighbours.some((other) => typeof other !== 'string' && isParagraph(other))
}

function isParagraph({ name, holds, prose }: PageElement): boolean {
  return prose >= paragraph && (name === 'p' || !(holds & kindOf.block))
}

function isMostOfDeclared(element: PageElement, outline: PageOutline): boolean {
  return element.prose > outline.total / 2 && isInDeclared(element)
}

function isInDeclared(element: PageElement): boolean {
  for (let above = element.parent; above; above = above.parent) if (declaresContent(above)) return true
  return false
}

/** The page itself says that its content is here. */
export function declaresContent(element: PageElement): boolean {
  const { name } = element
  if (name === 'main' || name === 'article') return true
  return attributeOf(element, 'role') === 'main' || attributeOf(element, 'itemprop') === 'articleBody'
}
