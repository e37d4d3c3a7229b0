import { doubtfulBlocks } from '../content/article-body'
import { type PlacedBlock, termLevel } from './blocks'

/** Where a block stands: in the content, between the page's heading and its content, in a caption, beside them, or where nothing is read. */
export type Place = 'content' | 'lead' | 'caption' | 'beside' | 'outside' | 'gone'

/** What has to be said between the heading of a page and its content to be its lead. */
const shortestLead = 50
/** A paragraph, of whatever a page may call so. */
const paragraph = 100
/** Share of links in a line that only leads away, on a page to read and anywhere. */
const mostlyLinks = { onText: 0.6, anywhere: 0.5 }
/** A line of so few letters that ends no sentence leads to what follows it. */
const longestLeadIn = 60

/** What is known of a page as a whole. */
export interface PageKind {
  /** A page to read, on which links in lines of their own lead away. */
  isText: boolean
  /** Its links are part of what it explains. */
  isManual: boolean
  /** One of those that are published at a time: news, posts. */
  isArticle: boolean
  /** What structured data says its text is; '' where it does not. */
  told: string
}

/** Which blocks are the content of a page. */
export function chooseBlocks(placed: PlacedBlock<Place>[], kind: PageKind): boolean[] {
  const kept: boolean[] = []
  let hasBegun = false
  for (const one of placed) {
    const isKept = isContent(one, kind, hasBegun)
    kept.push(isKept)
    if (isKept && one.block.kind !== 'heading' && one.block.text.length >= paragraph) hasBegun = true
  }
  if (kind.told) dropDoubtful(placed, kept, kind.told)
  dropOrphans(placed, kept, leadsAwayOn(kind))
  return kept
}

function isContent({ block, place, linked }: PlacedBlock<Place>, kind: PageKind, hasBegun: boolean): boolean {
  if (place === 'beside' || place === 'outside' || place === 'gone') return false
  // Pictures of news dress it, as those above any text; those of a manual are part of it.
  if (place === 'caption' && kind.isText) return hasBegun && !kind.isArticle
  if (block.kind === 'heading') return true
  const share = linkShare(block.text, linked)
  if (place === 'lead') return block.text.length >= shortestLead && share < 1 / 3
  return !(leadsAwayOn(kind) && share > mostlyLinks.onText && block.kind !== 'table')
}

function dropDoubtful(placed: PlacedBlock<Place>[], kept: boolean[], told: string): void {
  const places = placed.flatMap((_, at) => (kept[at] ? [at] : []))
  const blocks = placed.flatMap(({ block }, at) => (kept[at] ? [block] : []))
  for (const [index, isDoubtful] of doubtfulBlocks(blocks, told).entries()) {
    const at = places[index]
    if (isDoubtful && at !== undefined) kept[at] = false
  }
}

/** Lines of links lead away from a text, unless it explains what they lead to. */
function leadsAwayOn({ isText, isArticle, isManual }: PageKind): boolean {
  return isText && (isArticle || !isManual)
}

/** Headings whose section was left out, and lines that only led to it. */
function dropOrphans(placed: PlacedBlock<Place>[], kept: boolean[], isText: boolean): void {
  let next: PlacedBlock<Place> | null = null
  let isCut = false
  /** Of the heading that was dropped last; one above it may have lost its section with it. */
  let lost = 0
  for (let at = placed.length - 1; at >= 0; at--) {
    const own = placed[at]
    if (!own || !kept[at]) {
      isCut = true
      lost = 0
      continue
    }
    const level = own.block.kind === 'heading' ? own.block.level : 0
    const mayBe = isCut || (level > 0 && level < lost)
    kept[at] = !mayBe || !isOrphan(own, placed[at + 1], next, isText)
    if (kept[at]) next = own
    lost = kept[at] ? 0 : level
    isCut = !kept[at] && level === 0
  }
}

/** `following` was left out; `next` is the first block behind it that was not. */
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
  if (!isText || block.kind !== 'paragraph' || block.text.length > longestLeadIn) return false
  if (/[.!…。]["”»)]?$/.test(block.text)) return false
  return next === null || (following !== undefined && leadsAway(following))
}

/** Most of a block's text is links. */
export function leadsAway({ block, linked }: PlacedBlock<unknown>): boolean {
  return linkShare(block.text, linked) > mostlyLinks.anywhere
}

function linkShare(text: string, linked: number): number {
  return linked / Math.max(1, text.replace(/\s+/g, '').length)
}
