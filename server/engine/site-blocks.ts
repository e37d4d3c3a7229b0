import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { chunkDocument } from './chunk'
import type { Block, Fragment, KeptBlocks, PageDocument, SiteShare, Tokenizer } from './ports'

/** Bytes of a block's hash; of a million different blocks two have the same one with a chance of 1 in 37 million. */
const hashBytes = 8
/** Of headings; terms of definition lists stand below those of HTML. */
const deepestLevel = 8

type Kept = Pick<PageDocument, 'title' | 'language' | 'blocks' | 'around'>

/** What fragments are cut from, and the hashes by which blocks are compared across the pages of a site. */
export function keepBlocks({ title, language, blocks, around }: Kept): KeptBlocks {
  const kept: Kept = { title, language, blocks, around }
  const hashes = Buffer.concat([...new Set(comparedOf(kept))].map((hash) => Buffer.from(hash, 'hex')))
  return { blocks: deflateRawSync(JSON.stringify(kept), { level: 1 }), hashes }
}

export function keptIn(blocks: Uint8Array): Kept {
  return JSON.parse(inflateRawSync(blocks).toString('utf8'))
}

/** The hashes of blocks, in hexadecimal. */
export function* hashesIn(hashes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength)
  for (let at = 0; at < buffer.length; at += hashBytes) yield buffer.toString('hex', at, at + hashBytes)
}

/**
 * What of a page is the site's, and so is not cut with it; pages with another one than they were cut with are cut again.
 * The page that the site's own fragments stand with has all of it.
 */
export function shareOf(hashes: Uint8Array, { repeated, isHome, isSmall }: SiteShare): string {
  const shared = [...hashesIn(hashes)].filter((hash) => repeated.has(hash))
  if (shared.length === 0 && !isHome) return ''
  const digest = createHash('sha256')
    .update(shared.sort().join())
    .digest('hex')
    .slice(0, hashBytes * 2)
  return isHome ? `home ${isSmall} ${digest}` : digest
}

/**
 * Cuts a page without what stands on most pages of its site. The page that stands for the site keeps that, and what
 * stands around its content besides, in fragments of their own behind the others.
 */
export function cutPage(page: Kept, { repeated, isHome, isSmall }: SiteShare, tokenizer: Tokenizer): Fragment[] {
  const isRepeated = (block: Block) => repeated.has(hashOf(block))
  const own = chunkDocument({ ...page, blocks: withoutEmptyHeadings(page.blocks, isRepeated) }, tokenizer)
  // A page that is like most others in everything is itself all the same.
  if (!isHome) return own.length > 0 ? own : chunkDocument(page, tokenizer)
  const shared = page.blocks.filter((block) => block.kind !== 'heading' && isRepeated(block))
  const around = page.around.filter((block) => isSmall || block.kind === 'heading' || isRepeated(block))
  const ofSite = chunkDocument(
    { ...page, blocks: [...shared, ...withoutEmptyHeadings(around, () => false)] },
    tokenizer,
  )
  const known = new Set(own.map(({ hash }) => hash))
  const added = ofSite.filter(({ hash }) => !known.has(hash))
  return [...own, ...added].map((fragment, ordinal) => ({ ...fragment, ordinal }))
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
      for (let level = block.level; level <= deepestLevel; level++) follows[level] = stays[level] = false
      continue
    }
    const isLeft = leaves(block)
    if (!isLeft) kept.push(block)
    for (let level = 0; level <= deepestLevel; level++) {
      follows[level] = true
      stays[level] ||= !isLeft
    }
  }
  return kept.reverse()
}

/** Headings give other blocks their place: what is said under 'Notes' on every page is not the same. */
function comparedOf({ blocks, around }: Kept): string[] {
  return [...blocks, ...around].filter(({ kind }) => kind !== 'heading').map(hashOf)
}

function hashOf({ kind, text }: Block): string {
  const squeezed = text.toLowerCase().replace(/\s+/g, ' ').trim()
  return createHash('sha256')
    .update(`${kind}\n${squeezed}`)
    .digest('hex')
    .slice(0, hashBytes * 2)
}
