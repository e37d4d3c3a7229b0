import type { Block, PageFacts } from '../../ports/extractor'
import { blocksOf, type PlacedBlock, placedBlocksOf } from '../blocks/blocks'
import { isBoilerplateByMarkup, isDropped } from '../dom/boilerplate-elements'
import type { PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { articleBodyOf } from './article-body'
import { isLinkList } from './link-list'
import { type ContentArea, locateContent } from './locate-content'
import { isCaption } from './names/class-names'
import { runReadability } from './readability'
import { isMostlyLinks, type PageKind, type Place, selectBlocks } from './select-blocks'

/** Prose from which on a page is one to read. */
const minReadingProse = 1000
/** A text with fewer letters says nothing about where the content is. */
const minLetters = 140
/** Factor by which Readability must find more text to be preferred. */
const minGain = 1.5
/** Readability takes about a second for this many elements, and longer if they are nested. */
const maxReadabilityElements = 10_000

/** Elements that declare to hold the content; a page of more has its text elsewhere. */
const maxHolders = 20
/** Characters of boilerplate worth returning; the letters of an alphabetical index have fewer. */
const minBoilerplateLength = 3

export interface MainContent {
  blocks: Block[]
  /** Readable boilerplate, in document order. */
  around: Block[]
  /** Whether the content is an index of links. */
  isLinkList: boolean
}

/**
 * Extracts the content of a page and the readable boilerplate around it. Combines several signals: the markup, roles
 * and names of elements, text density and link density, and the heading that repeats the title. If these find little of
 * the text, falls back to Readability. `title` is that of the head; `described` is the page's JSON-LD.
 */
export function mainContent(
  page: ParsedPage,
  { title, publishedAt, isThread }: Pick<PageFacts, 'title' | 'publishedAt'> & { isThread: boolean },
  jsonLd: unknown,
): MainContent {
  const kind = { articleBody: articleBodyOf(jsonLd), isArticle: publishedAt !== null && !isThread }
  const area = locateContent(page, title, isThread)
  const own = contentOf(page, area, kind)
  const found = textLength(own.blocks)
  const isDoubtful = found < area.total / 2 && page.elements <= maxReadabilityElements
  const article = isDoubtful ? runReadability(page.body, title, minLetters) : null
  const fallback = article ? contentOf(article, locateContent(article, title), kind).blocks : []
  if (textLength(fallback) > Math.max(minLetters, found * minGain)) {
    const texts = new Set(fallback.map(({ text }) => text))
    return {
      blocks: withHeading(fallback, own.blocks),
      around: own.around.filter(({ text }) => !texts.has(text)),
      isLinkList: false,
    }
  }
  if (found > 0) return own
  // If the whole page looks like boilerplate and is longer than a footer, it is the content.
  if (textLength(own.around) >= minLetters) return { blocks: own.around, around: [], isLinkList: false }
  return { blocks: declaredContent(page), around: own.around, isLinkList: false }
}

/** Whether an element is in a part that is not read, or beside the content, such as the preview of another page. */
function isInOtherPart(element: PageElement): boolean {
  for (let node = element.parent; node; node = node.parent)
    if (isDropped(node) || isBoilerplateByMarkup(node)) return true
  return false
}

/** Returns the text of the first element that declares to hold the content and has some. */
function declaredContent({ mains, articles }: ParsedPage): Block[] {
  for (const holder of [...articles, ...mains].slice(0, maxHolders).filter((element) => !isInOtherPart(element))) {
    const blocks = blocksOf(holder)
    if (blocks.some(({ kind }) => kind !== 'image')) return blocks
  }
  return []
}

function contentOf(
  page: ParsedPage,
  area: ContentArea,
  kind: Omit<PageKind, 'isText' | 'isDocumentation'>,
): MainContent {
  const placed = placeBlocks(page.body, area)
  const isContent = selectBlocks(placed, {
    ...kind,
    isDocumentation: area.isManual,
    isText: area.content.prose >= minReadingProse,
  })
  const content = placed.filter((_, index) => isContent[index])
  return { blocks: content.map(withLinkMark), around: aroundOf(placed, isContent), isLinkList: isLinkList(content) }
}

function withLinkMark(placedBlock: PlacedBlock<Place>): Block {
  const { block } = placedBlock
  return block.kind !== 'heading' && block.kind !== 'code' && isMostlyLinks(placedBlock)
    ? { ...block, mostlyLinks: true }
    : block
}

/** Returns the readable boilerplate: no pictures, no links, and no headings without text. */
function aroundOf(placed: PlacedBlock<Place>[], isContent: boolean[]): Block[] {
  const around: Block[] = []
  let headings: Block[] = []
  for (const [index, placedBlock] of placed.entries()) {
    const { block, place } = placedBlock
    if (isContent[index] || place === 'removed' || place === 'content' || isMostlyLinks(placedBlock)) headings = []
    else if (block.kind === 'heading') headings = [...headings.filter((outer) => isAbove(outer, block.level)), block]
    else if (block.kind !== 'image' && block.text.length >= minBoilerplateLength) {
      around.push(...headings, block)
      headings = []
    }
  }
  return around
}

function isAbove(block: Block, level: number): boolean {
  return block.kind === 'heading' && block.level < level
}

function placeBlocks(body: PageElement, { content, heading }: ContentArea): PlacedBlock<Place>[] {
  let hasHeading = false
  let isPast = false

  function placeOf(element: PageElement, outer: Place): Place | null {
    if (isDropped(element)) return null
    if (element.classification === 'boilerplate')
      return outer === 'content' || outer === 'inset' ? 'inset' : 'boilerplate'
    if (element.classification === 'removed') return 'removed'
    if (element === content) {
      isPast = true
      return 'content'
    }
    if (element === heading) hasHeading = true
    if (outer === 'content') return isCaption(element) ? 'caption' : outer
    if (outer === 'lead') return isCaption(element) ? 'outside' : outer
    if (outer !== 'outside' && element !== heading) return outer
    return hasHeading && !isPast ? 'lead' : 'outside'
  }

  return placedBlocksOf<Place>(body, content === body ? 'content' : 'outside', placeOf)
}

/** Readability removes the heading as the page's title; this restores it. */
function withHeading(article: Block[], own: Block[]): Block[] {
  const heading = own.find((block) => block.kind === 'heading')
  const hasHeading = article.some((block) => block.kind === 'heading' && block.text === heading?.text)
  return heading && !hasHeading ? [heading, ...article] : article
}

function textLength(blocks: Block[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length, 0)
}
