import { isBoilerplateByMarkup } from '../dom/boilerplate-elements'
import { attributeOf, type Classification, lettersOf, linkDensity, type PageElement } from '../dom/element'
import { category } from '../dom/element-categories'
import { hasPrice } from './cards/price'
import { hint } from './names/class-name-hints'
import { hintsOf } from './names/class-names'
import { countWords } from './prose'
import { isProseSection } from './prose-section'

/** Prose of a page with a text; all lengths here are letters. */
const minPageProse = 250
/** Prose of a page to read. */
const minReadingProse = 1000
/** Prose of a paragraph, and siblings among which one is looked for. */
const minParagraphProse = 100
const maxSiblings = 50
/** Share of links above which a side column is a list of links. */
const maxColumnLinkShare = 0.25
/** A form with less prose has only labels. */
const minFormProse = 60
/** A meta line is not longer. */
const maxMetaLetters = 160
/** Phrases around a phrase whose words are counted. */
const maxPhraseLevels = 4
/** Words next to a phrase that make their line a sentence. */
const minSentenceWords = 2
/** Elements whose own text is one line. */
const lineElements = new Set(['p', 'li', 'dd', 'blockquote'])

/** Facts about a page that are known before its elements are classified. */
export interface PageOutline {
  /** Ancestors of the page's heading and of elements that declare to hold the content. */
  knownContent: ReadonlySet<PageElement>
  /** The first header of the page, and that of its article. */
  firstHeaders: ReadonlySet<PageElement>
  /** Prose of the page. */
  total: number
  /** Letters of the page. */
  letters: number
  /** Comments are the content. */
  isForum: boolean
  /** Hints to ignore on this page. */
  ignoredHints: number
}

/** Classifies an element by its category, its names, its links and its share of the page. */
export function classifyElement(element: PageElement, outline: PageOutline): Classification {
  if (outline.knownContent.has(element) || isInlinePart(element)) return 'content'
  const names = isProseSection(element) ? 0 : hintsOf(element) & ~outline.ignoredHints
  if (names & hint.consent && !isMost(element, outline)) return 'removed'
  if (names & hint.comments && !outline.isForum) return 'removed'
  if (!isBoilerplate(element, names, outline)) return 'content'
  // A form without prose would leave only its labels.
  return element.name === 'form' && element.prose < minFormProse ? 'removed' : 'boilerplate'
}

/** Whether the element is part of a line, a table or code, and stays with it. */
function isInlinePart(element: PageElement): boolean {
  if (
    element.categories & (category.heading | category.cell | category.rowGroup) ||
    element.name === 'pre' ||
    element.name === 'dt'
  )
    return true
  return (element.categories & category.phrasing) !== 0 && isInLine(element)
}

/** Whether a phrase is part of a line of text, whatever its names. */
function isInLine({ parent, prose, descendantCategories }: PageElement): boolean {
  if (!parent || descendantCategories & category.block) return false
  if (parent.categories & (category.heading | category.cell) || parent.name === 'dt') return true
  const isLine = (parent.categories & category.phrasing) !== 0 || lineElements.has(parent.name)
  return isLine && (parent.prose - prose >= 50 || isSentence(parent))
}

/** Whether words stand next to a phrase in its line, which are not only its label ('Tags:'). */
function isSentence(line: PageElement): boolean {
  let node: PageElement | null = line
  for (let level = 0; node && level < maxPhraseLevels; level++, node = node.parent) {
    if (node.ownWords < 0) node.ownWords = countOwnWords(node)
    if (node.ownWords >= minSentenceWords) return true
    if (!(node.categories & category.phrasing)) return false
  }
  return false
}

function countOwnWords({ children }: PageElement): number {
  let words = 0
  for (const child of children) {
    if (typeof child === 'string' && !/:\s*$/.test(child)) words += countWords(child, minSentenceWords)
    if (words >= minSentenceWords) break
  }
  return words
}

function isBoilerplate(element: PageElement, names: number, outline: PageOutline): boolean {
  const { name } = element
  if (name === 'footer' || attributeOf(element, 'role') === 'contentinfo' || names & hint.foot) return true
  if (isBoilerplateByMarkup(element)) return !isMost(element, outline)
  if (name === 'form') return element.prose < 200 && !isMost(element, outline)
  if (name === 'header' && element.prose < minFormProse) return !isHeaderOfCard(element, outline)
  if (names === 0) return false
  const isNamedContent = (names & hint.content) !== 0
  if (names & hint.column) return !isNamedContent && !isBox(element) && !isMostOfPage(element, outline)
  if (names & (hint.extra | hint.widget | hint.advert)) return !isNamedContent && !isMost(element, outline)
  if (names & hint.meta && lettersOf(element) <= maxMetaLetters) return true
  if (!(names & (hint.listing | hint.navigation)) || linkDensity(element) <= 0.4) return false
  return !isMost(element, outline) && !isCard(element, names, outline)
}

/**
 * Whether an element named for a list of links is a card of a list that is the content: it has a price, or, on a
 * page without a text to read, a heading. A link alone is a name there.
 */
function isCard(element: PageElement, names: number, outline: PageOutline): boolean {
  if (hasPrice(element)) return true
  if (names & hint.navigation || outline.total >= minReadingProse) return false
  return element.name === 'a' || (element.descendantCategories & category.heading) !== 0
}

/** Whether an element has nearly all prose of the page, or more than half of it and few links. */
function isMost(element: PageElement, outline: PageOutline): boolean {
  if (element.prose <= outline.total / 2) return false
  // On a page with hardly any prose, a note of two lines is most of it.
  if (outline.total < 2 * minPageProse && lettersOf(element) * 4 < outline.letters) return false
  return outline.total - element.prose < minPageProse || linkDensity(element) < 0.2 || isInDeclared(element)
}

/** Whether a "sidebar" is a box between the paragraphs of a text. */
function isBox(element: PageElement): boolean {
  if (element.prose < minParagraphProse || linkDensity(element) > 0.25) return false
  const siblings = element.parent?.children.slice(0, maxSiblings) ?? []
  return siblings.some((sibling) => typeof sibling !== 'string' && isParagraph(sibling))
}

function isParagraph({ name, descendantCategories, prose }: PageElement): boolean {
  return prose >= minParagraphProse && (name === 'p' || !(descendantCategories & category.block))
}

/** Whether a side column has more than half of the page's prose, and is a text rather than a list of links. */
function isMostOfPage(element: PageElement, outline: PageOutline): boolean {
  if (element.prose <= outline.total / 2) return false
  if (isInDeclared(element)) return true
  return element.prose >= minPageProse && linkDensity(element) < maxColumnLinkShare && isMost(element, outline)
}

/** Whether a header is that of a card in a list, and not that of the page or of its article. */
function isHeaderOfCard(element: PageElement, { firstHeaders }: PageOutline): boolean {
  return (element.descendantCategories & category.heading) !== 0 && !firstHeaders.has(element)
}

function isInDeclared(element: PageElement): boolean {
  for (let above = element.parent; above; above = above.parent) if (declaresContent(above)) return true
  return false
}

/** Whether the page's markup declares that the element holds its content. */
export function declaresContent(element: PageElement): boolean {
  const { name } = element
  if (name === 'main' || name === 'article') return true
  return attributeOf(element, 'role') === 'main' || attributeOf(element, 'itemprop') === 'articleBody'
}
