import type { Block, PageFacts } from '../../ports'
import { type PlacedBlock, placedBlocksOf } from '../blocks/blocks'
import { chooseBlocks, leadsAway, type PageKind, type Place } from '../blocks/select-blocks'
import type { PageElement } from '../dom/element'
import type { ParsedPage } from '../dom/parse'
import { toldText } from './article-body'
import { isDropped } from './boilerplate-elements'
import { isCaption } from './class-names'
import { areasOf, type PageAreas } from './locate-content'
import { readingMode } from './readability'

/** So much running text makes a page one to read. */
const muchProse = 1000
/** Less text than this is no witness for where the content stands. */
const fewLetters = 140
/** So much more has reading mode to find, where little was found, to be believed. */
const timesMore = 1.5
/** Reading mode takes about a second for so many, and longer where they are nested. */
const mostElements = 10_000

/** Letters of a text beside the content: the letters of an alphabet to choose from are none. */
const shortest = 3

export interface MainContent {
  blocks: Block[]
  /** What can be read beside them, in the order of the page. */
  around: Block[]
}

/**
 * The part of a page that is its content, and what stands around it. Several witnesses are asked: what the page says of
 * its elements by their kind, role and names, where its text is dense and free of links, the heading that its title
 * repeats; and, where they leave little of it, the heuristics of a browser's reading mode. `title` is that of the head.
 */
export function mainContent(
  page: ParsedPage,
  { title, publishedAt }: Pick<PageFacts, 'title' | 'publishedAt'>,
  described: unknown,
): MainContent {
  const kind = { told: toldText(described), isArticle: publishedAt !== null }
  const areas = areasOf(page, title)
  const own = contentOf(page, areas, kind)
  const found = letters(own.blocks)
  const isDoubtful = found < areas.total / 2 && page.elements <= mostElements
  const article = isDoubtful ? readingMode(page.body, title, fewLetters) : null
  const read = article ? contentOf(article, areasOf(article, title), kind).blocks : []
  if (letters(read) > Math.max(fewLetters, found * timesMore)) {
    const texts = new Set(read.map(({ text }) => text))
    return { blocks: withHeading(read, own.blocks), around: own.around.filter(({ text }) => !texts.has(text)) }
  }
  // Where all of a page seems to stand beside something, and is more than a footer, it is what there is.
  return found === 0 && letters(own.around) >= fewLetters ? { blocks: own.around, around: [] } : own
}

function contentOf(page: ParsedPage, areas: PageAreas, kind: Omit<PageKind, 'isText' | 'isManual'>): MainContent {
  const placed = placeBlocks(page.body, areas)
  const kept = chooseBlocks(placed, { ...kind, isManual: areas.isManual, isText: areas.content.prose >= muchProse })
  return {
    blocks: placed.flatMap((one, at) => (kept[at] ? [marked(one)] : [])),
    around: aroundOf(placed, kept),
  }
}

function marked(one: PlacedBlock<Place>): Block {
  const { block } = one
  return block.kind !== 'heading' && block.kind !== 'code' && leadsAway(one) ? { ...block, leads: true } : block
}

/** What can be read besides: no pictures, no links, and no headings over what was left out. */
function aroundOf(placed: PlacedBlock<Place>[], kept: boolean[]): Block[] {
  const around: Block[] = []
  let waiting: Block[] = []
  for (const [at, one] of placed.entries()) {
    const { block, place } = one
    if (kept[at] || place === 'gone' || place === 'content' || leadsAway(one)) waiting = []
    else if (block.kind === 'heading') waiting = [...waiting.filter((above) => isAbove(above, block.level)), block]
    else if (block.kind !== 'image' && block.text.length >= shortest) {
      around.push(...waiting, block)
      waiting = []
    }
  }
  return around
}

function isAbove(block: Block, level: number): boolean {
  return block.kind === 'heading' && block.level < level
}

function placeBlocks(body: PageElement, { content, heading }: PageAreas): PlacedBlock<Place>[] {
  let hasHeading = false
  let isPast = false

  function placeOf(element: PageElement, outer: Place): Place | null {
    if (isDropped(element)) return null
    if (element.standing !== 'text') return element.standing
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

/** Reading mode takes the heading away as the page's title; its place is in front. */
function withHeading(read: Block[], own: Block[]): Block[] {
  const heading = own.find((block) => block.kind === 'heading')
  const has = read.some((block) => block.kind === 'heading' && block.text === heading?.text)
  return heading && !has ? [heading, ...read] : read
}

function letters(blocks: Block[]): number {
  return blocks.reduce((sum, block) => sum + block.text.length, 0)
}
