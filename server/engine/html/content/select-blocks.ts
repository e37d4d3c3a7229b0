import { type PlacedBlock, termLevel } from '../blocks/blocks'
import { unconfirmedBlocks } from './article-body'
import { isFurnitureLine } from './furniture-lines'

/**
 * Where a block is: in the content, between the page's heading and its content, in a caption, in boilerplate around or
 * inside the content, outside the content, or in a removed element.
 */
export type Place = 'content' | 'lead' | 'caption' | 'boilerplate' | 'inset' | 'outside' | 'removed'

/** Characters of a block between heading and content that make it the lead. */
const minLeadLength = 50
/** Characters from which on a block counts as a paragraph of the content. */
const minParagraphLength = 100
/** Share of links above which a block leads away: in a text, and on any page. */
const maxLinkShare = { inText: 0.6, anywhere: 0.5 }
/** What people look for: a number, a mail address, a price. */
const fact = /[\p{Nd}@\p{Sc}]/u
/** Characters of a line that only introduces what follows it. */
const maxLeadInLength = 60

export interface PageKind {
  /** A page to read, on which lines of links lead away. */
  isText: boolean
  /** Documentation: its links are part of what it explains. */
  isDocumentation: boolean
  /** Published at a certain time, as news and posts are. */
  isArticle: boolean
  /** The article's text in structured data, letters only; '' if unknown. */
  articleBody: string
}

/** Decides for each block whether it is content. */
export function selectBlocks(placed: PlacedBlock<Place>[], kind: PageKind): boolean[] {
  const isContent: boolean[] = []
  let hasBegun = false
  for (const placedBlock of placed) {
    const isSelected = isContentBlock(placedBlock, kind, hasBegun)
    isContent.push(isSelected)
    if (isSelected && placedBlock.block.kind !== 'heading' && placedBlock.block.text.length >= minParagraphLength)
      hasBegun = true
  }
  if (kind.articleBody) dropUnconfirmed(placed, isContent, kind.articleBody)
  dropOrphans(placed, isContent, dropsLinkLines(kind))
  return isContent
}

function isContentBlock({ block, place, links }: PlacedBlock<Place>, kind: PageKind, hasBegun: boolean): boolean {
  if (place !== 'content' && place !== 'lead' && place !== 'caption') return false
  // Pictures of news are decoration, as are those above any text; those of documentation are part of it.
  if (place === 'caption' && kind.isText) return hasBegun && !kind.isArticle
  if (block.kind === 'heading') return true
  if (
    (kind.isArticle || dropsLinkLines(kind)) &&
    block.kind !== 'code' &&
    block.text.split('\n').every(isFurnitureLine)
  )
    return false
  const share = linkShare(block.text, links.away)
  if (place === 'lead') return block.text.length >= minLeadLength && share < 1 / 3
  return !(dropsLinkLines(kind) && share > maxLinkShare.inText && block.kind !== 'table')
}

function dropUnconfirmed(placed: PlacedBlock<Place>[], isContent: boolean[], articleBody: string): void {
  const places = placed.flatMap((_, index) => (isContent[index] ? [index] : []))
  const blocks = placed.flatMap(({ block }, index) => (isContent[index] ? [block] : []))
  for (const [index, isUnconfirmed] of unconfirmedBlocks(blocks, articleBody).entries()) {
    const node = places[index]
    if (isUnconfirmed && node !== undefined) isContent[node] = false
  }
}

/** Whether lines of links are dropped: they lead away from a text, unless it is documentation. */
function dropsLinkLines({ isText, isArticle, isDocumentation: isManual }: PageKind): boolean {
  return isText && (isArticle || !isManual)
}

/** Drops headings whose section was dropped, and lines that only introduced it. */
function dropOrphans(placed: PlacedBlock<Place>[], isContent: boolean[], isText: boolean): void {
  let next: PlacedBlock<Place> | null = null
  let isCut = false
  /** Level of the heading dropped last; a heading above it may have lost its section, too. */
  let droppedLevel = 0
  for (let index = placed.length - 1; index >= 0; index--) {
    const current = placed[index]
    if (!current || !isContent[index]) {
      isCut = true
      droppedLevel = 0
      continue
    }
    const level = current.block.kind === 'heading' ? current.block.level : 0
    const mayBeOrphan = (isCut && !isTitleInList(placed[index - 1], level)) || (level > 0 && level < droppedLevel)
    isContent[index] = !mayBeOrphan || !isOrphan(current, placed[index + 1], next, isText)
    if (isContent[index]) next = current
    droppedLevel = isContent[index] ? 0 : level
    isCut = !isContent[index] && level === 0
  }
}

/** Whether a heading follows another one of its level, as the titles in a list of pages do. */
function isTitleInList(previous: PlacedBlock<Place> | undefined, level: number): boolean {
  return previous?.place === 'content' && previous.block.kind === 'heading' && previous.block.level === level
}

/** `following` was dropped; `next` is the next block that was not. */
function isOrphan(
  { block }: PlacedBlock<Place>,
  following: PlacedBlock<Place> | undefined,
  next: PlacedBlock<Place> | null,
  isText: boolean,
): boolean {
  if (block.kind === 'heading')
    return (
      block.level > 1 &&
      block.level < termLevel &&
      (next === null || (next.block.kind === 'heading' && next.block.level <= block.level))
    )
  if (!isText || block.kind !== 'paragraph' || block.text.length > maxLeadInLength) return false
  if (/[.!…。]["”»)]?$/.test(block.text) || fact.test(block.text)) return false
  return following?.place === 'inset' || (following?.place === 'content' && isMostlyLinks(following))
}

/** Whether most of a block's text is links. */
export function isMostlyLinks({ block, links }: PlacedBlock<unknown>): boolean {
  return linkShare(block.text, links.all) > maxLinkShare.anywhere
}

function linkShare(text: string, linked: number): number {
  return linked / Math.max(1, text.replace(/\s+/g, '').length)
}
