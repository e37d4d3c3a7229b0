import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Block, Boilerplate, Fragment, PageBlocks, PageDocument, Tokenizer } from '../ports'
import { chunkDocument } from './chunk'
import { boilerplateHeading } from './embedding-text'

/** Bytes of a block's hash; of a million different blocks two have the same one with a chance of 1 in 37 million. */
const hashBytes = 8
const digits = hashBytes * 2
/** Between the hashes of the content and those of what stands around it; no text has it. */
const boundary = '0'.repeat(digits)
/** Of headings; terms of definition lists stand below those of HTML. */
const maxHeadingLevel = 8

type Kept = Pick<PageDocument, 'title' | 'language' | 'blocks' | 'around'>

/** What fragments are cut from, and the hashes by which blocks are compared across the pages of a site. */
export function packBlocks({ title, language, blocks, around }: Kept): PageBlocks {
  const kept: Kept = { title, language, blocks, around }
  const hashes = [...hashesOf(blocks, contentHash), boundary, ...hashesOf(around, aroundHash)]
  return {
    blocks: deflateRawSync(JSON.stringify(kept), { level: 1 }),
    hashes: Buffer.concat(hashes.map((hash) => Buffer.from(hash, 'hex'))),
  }
}

export function unpackBlocks(blocks: Uint8Array): Kept {
  return JSON.parse(inflateRawSync(blocks).toString('utf8'))
}

/** The hashes of a page's content and of what stands around it, in hexadecimal, each once. */
export function hashesIn(hashes: Uint8Array): { content: string[]; around: string[] } {
  const text = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('hex')
  const all = Array.from({ length: hashes.byteLength / hashBytes }, (_, at) =>
    text.slice(at * digits, (at + 1) * digits),
  )
  const end = all.indexOf(boundary)
  return { content: all.slice(0, end), around: all.slice(end + 1) }
}

/**
 * What of a page is the site's, and so is not cut with it, or kept for all; pages with another one than they were cut
 * with are cut again.
 */
export function boilerplateSignature(hashes: Uint8Array, { repeated, kept, isEntryPage }: Boilerplate): string {
  const { content, around } = hashesIn(hashes)
  const shared = content.filter((hash) => repeated.has(hash)).sort()
  const own = [...content, ...around].filter((hash) => kept.has(hash)).sort()
  if (shared.length === 0 && own.length === 0 && !isEntryPage) return ''
  return createHash('sha256')
    .update([isEntryPage, ...shared, boundary, ...own].join())
    .digest('hex')
    .slice(0, digits)
}

/**
 * Cuts a page without what stands on most pages of its site. What the page keeps for all comes behind, in fragments of
 * their own that say so; menus are not kept.
 */
export function cutPage(page: Kept, { repeated, kept, isEntryPage }: Boilerplate, tokenizer: Tokenizer): Fragment[] {
  const isRepeated = (block: Block) => repeated.has(contentHash(block))
  const left = chunkDocument({ ...page, blocks: withoutEmptyHeadings(page.blocks, isRepeated) }, tokenizer)
  const shared = page.blocks.filter((block) => isText(block) && isRepeated(block) && kept.has(contentHash(block)))
  const isKept = (block: Block) => kept.has(aroundHash(block))
  const around = withoutEmptyHeadings(page.around, (block) => !isKept(block))
  const ownAround = isEntryPage ? withoutEmptyHeadings(page.around, isKept) : []
  // A page that is like most others in everything is itself all the same.
  const own = left.length > 0 || shared.length > 0 ? left : chunkDocument(page, tokenizer)
  const known = new Set(own.map(({ hash }) => hash))
  const beside = chunkDocument({ ...page, blocks: ownAround }, tokenizer).filter(({ hash }) => !known.has(hash))
  const ofSite = chunkDocument({ ...page, blocks: [...shared, ...around], part: boilerplateHeading }, tokenizer)
  return [...own, ...beside, ...ofSite].map((fragment, ordinal) => ({ ...fragment, ordinal }))
}

/** Neither a heading nor a menu. */
function isText(block: Block): boolean {
  return block.kind !== 'heading' && !('mostlyLinks' in block && block.mostlyLinks === true)
}

/** The blocks that stay, and of the headings those that stand over something, or stood over nothing before. */
function withoutEmptyHeadings(blocks: Block[], leaves: (block: Block) => boolean): Block[] {
  // By level of heading: whether text follows it in its section, and whether some of that stays.
  const follows: boolean[] = []
  const stays: boolean[] = []
  const kept: Block[] = []
  for (const block of blocks.toReversed()) {
    if (block.kind === 'heading') {
      if (stays[block.level] || !follows[block.level]) kept.push(block)
      for (let level = block.level; level <= maxHeadingLevel; level++) follows[level] = stays[level] = false
      continue
    }
    const isLeft = leaves(block)
    if (!isLeft) kept.push(block)
    for (let level = 0; level <= maxHeadingLevel; level++) {
      follows[level] = true
      stays[level] ||= !isLeft
    }
  }
  return kept.reverse()
}

/** Headings give other blocks their place: what is said under 'Notes' on every page is not the same. */
function hashesOf(blocks: Block[], hashOf: (block: Block) => string): Set<string> {
  return new Set(blocks.filter(({ kind }) => kind !== 'heading').map(hashOf))
}

function contentHash({ kind, text }: Block): string {
  return hashed(`${kind}\n${squeezed(text)}`)
}

/** A footer that tells when it was made is the same on all pages; what is said around a page has no kind. */
function aroundHash({ text }: Block): string {
  return hashed(`around\n${squeezed(text).replace(datesAndTimes, '#')}`)
}

const datesAndTimes = /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d(:\d\d)?|(19|20)\d\d/g

function squeezed(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
