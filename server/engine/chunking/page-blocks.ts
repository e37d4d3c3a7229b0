import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { contactHeading } from '../html/contacts/contact-labels'
import { contactKindsIn } from '../html/contacts/contact-patterns'
import type { Block, Boilerplate, Fragment, PageBlocks, PageDocument } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'
import { chunkDocument } from './chunk'
import { boilerplateHeading } from './embedding-text'

/** Bytes of the hash of a block. Among a million blocks, a collision has a probability of 1 in 37 million. */
const hashBytes = 8
const digits = hashBytes * 2
/** Separates the hashes of the content, of the blocks around it, and of contacts. */
const boundary = '0'.repeat(digits)
/** Terms of definition lists have levels below those of HTML headings. */
const maxHeadingLevel = 8

export interface PageContent
  extends Pick<PageDocument, 'title' | 'language' | 'blocks' | 'around' | 'contacts' | 'siteName' | 'parent'> {
  /** A line on who wrote the page and when; '' for a page that says neither. */
  publication: string
}

/** Packs the blocks of a page to chunk it again later, and the hashes that compare blocks across the pages of a site. */
export function packBlocks(content: PageContent): PageBlocks {
  const { title, language, blocks, around, contacts, siteName, parent, publication } = content
  const page: PageContent = { title, language, blocks, around, contacts, siteName, parent, publication }
  const hashes = [
    ...hashesOf(blocks, contentHash),
    boundary,
    ...hashesOf(around, aroundHash),
    boundary,
    ...hashesOf(contacts, contactHashIn(language)),
  ]
  return {
    blocks: deflateRawSync(JSON.stringify(page), { level: 1 }),
    hashes: Buffer.concat(hashes.map((hash) => Buffer.from(hash, 'hex'))),
  }
}

export function unpackBlocks(blocks: Uint8Array): PageContent {
  // Earlier versions stored neither contacts nor the parent nor the publication.
  return {
    contacts: [],
    siteName: '',
    parent: '',
    publication: '',
    ...JSON.parse(inflateRawSync(blocks).toString('utf8')),
  }
}

/** Distinct hashes of the blocks of a page, in hexadecimal: those of its content, those around it, and contacts. */
export function hashesIn(hashes: Uint8Array): { content: string[]; around: string[]; contacts: string[] } {
  const text = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString('hex')
  const all = Array.from({ length: hashes.byteLength / hashBytes }, (_, index) =>
    text.slice(index * digits, (index + 1) * digits),
  )
  const [content = [], around = [], contacts = []] = divide(all)
  return { content, around, contacts }
}

function divide(hashes: string[]): string[][] {
  const parts: string[][] = [[]]
  for (const hash of hashes) {
    if (hash === boundary) parts.push([])
    else parts.at(-1)?.push(hash)
  }
  return parts
}

/**
 * Identifies which blocks of a page are removed as boilerplate, and which ones it keeps for the site; empty if there are
 * none. A page whose signature has changed is chunked again.
 */
export function boilerplateSignature(hashes: Uint8Array, { repeated, retained, isEntryPage }: Boilerplate): string {
  const { content, around, contacts } = hashesIn(hashes)
  const shared = [...content, ...contacts].filter((hash) => repeated.has(hash)).sort()
  const own = [...content, ...around, ...contacts].filter((hash) => retained.has(hash)).sort()
  if (shared.length === 0 && own.length === 0 && !isEntryPage) return ''
  return createHash('sha256')
    .update([isEntryPage, ...shared, boundary, ...own].join())
    .digest('hex')
    .slice(0, digits)
}

/**
 * Chunks a page without the boilerplate of its site. The contacts and the boilerplate that the page keeps for the site,
 * except for menus, follow in fragments under headings of their own.
 */
export function chunkWithoutBoilerplate(page: PageContent, boilerplate: Boilerplate, tokenizer: Tokenizer): Fragment[] {
  const { repeated, retained, isEntryPage } = boilerplate
  const isRepeated = (block: Block) => repeated.has(contentHash(block))
  const unique = chunkContent({ ...page, blocks: removeBlocks(page.blocks, isRepeated) }, tokenizer)
  const shared = page.blocks.filter((block) => isText(block) && isRepeated(block) && retained.has(contentHash(block)))
  const isKept = (block: Block) => retained.has(aroundHash(block))
  const around = removeBlocks(page.around, (block) => !isKept(block))
  const ownAround = isEntryPage ? removeBlocks(page.around, isKept) : []
  // A page that consists of boilerplate only is chunked as it is.
  const own = unique.length > 0 || shared.length > 0 ? unique : chunkContent(page, tokenizer)
  const known = new Set(own.map(({ hash }) => hash))
  const aroundOwn = chunkContent({ ...page, publication: '', blocks: ownAround }, tokenizer).filter(
    ({ hash }) => !known.has(hash),
  )
  const siteBlocks = [...shared, ...around]
  const contacts = own.length > 0 ? chunkContacts(page, boilerplate, tokenizer) : []
  const shown = chunkDocument({ ...page, blocks: siteBlocks, part: boilerplateHeading }, tokenizer)
  return [...own, ...aroundOwn, ...contacts, ...shown].map((fragment, ordinal) => ({ ...fragment, ordinal }))
}

/** Chunks a page on its own, as in a preview: with its contacts, and without the text around it. */
export function chunkSinglePage(page: PageContent, tokenizer: Tokenizer): Fragment[] {
  const own = chunkContent(page, tokenizer)
  const alone: Boilerplate = { repeated: new Set(), retained: new Set(), isEntryPage: true }
  const contacts = own.length > 0 ? chunkContacts(page, alone, tokenizer) : []
  return [...own, ...contacts].map((fragment, ordinal) => ({ ...fragment, ordinal }))
}

/** The outermost heading of a page is the name of the page above it. Its first fragment says who wrote it and when. */
function chunkContent(page: PageContent, tokenizer: Tokenizer): Fragment[] {
  return chunkDocument({ ...page, blocks: withPublication(page), part: page.parent || undefined }, tokenizer)
}

/** Places the line below the headings at the start. */
function withPublication({ blocks, publication }: PageContent): Block[] {
  const start = blocks.findIndex(({ kind }) => kind !== 'heading')
  if (publication === '' || start < 0) return blocks
  return [...blocks.slice(0, start), { kind: 'paragraph', text: publication, anchor: null }, ...blocks.slice(start)]
}

/** Contacts of the site have its name as title; those of one page, such as a branch, have the title of the page. */
function chunkContacts(page: PageContent, boilerplate: Boilerplate, tokenizer: Tokenizer): Fragment[] {
  const { repeated, retained, isEntryPage } = boilerplate
  const contactHash = contactHashIn(page.language)
  const isKept = (block: Block) => {
    const hash = contactHash(block)
    return retained.has(hash) || (isEntryPage && !repeated.has(hash))
  }
  const isOfSite = (block: Block) => isEntryPage || repeated.has(contactHash(block))
  const ofSite = removeBlocks(page.contacts, (block) => !isKept(block) || !isOfSite(block))
  const ofPage = removeBlocks(page.contacts, (block) => !isKept(block) || isOfSite(block))
  return [
    ...contactFragments({ ...page, title: page.siteName || page.title, blocks: ofSite }, tokenizer),
    ...contactFragments({ ...page, blocks: ofPage }, tokenizer),
  ]
}

/** The heading of each section names the contacts in it alone, so that opening hours are not found as a telephone number. */
function contactFragments(
  { title, language, blocks }: Pick<PageContent, 'title' | 'language' | 'blocks'>,
  tokenizer: Tokenizer,
): Fragment[] {
  return sectionsOf(blocks).flatMap((section) => {
    if (!section.some(({ kind }) => kind !== 'heading')) return []
    const kinds = new Set(section.flatMap(({ text }) => contactKindsIn(text)))
    return chunkDocument({ title, language, blocks: section, part: contactHeading(kinds, language) }, tokenizer)
  })
}

/** Divides blocks at their outermost headings. */
function sectionsOf(blocks: Block[]): Block[][] {
  const topLevel = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : maxHeadingLevel)))
  const sections: Block[][] = [[]]
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === topLevel) sections.push([])
    sections.at(-1)?.push(block)
  }
  return sections
}

/** Neither a heading nor a menu. */
function isText(block: Block): boolean {
  return block.kind !== 'heading' && !('mostlyLinks' in block && block.mostlyLinks === true)
}

/** Removes blocks, and headings whose text is removed completely. Keeps headings that never had text. */
function removeBlocks(blocks: Block[], isRemoved: (block: Block) => boolean): Block[] {
  // By heading level: whether the section has text, and whether some of it remains.
  const hasText: boolean[] = []
  const hasRemaining: boolean[] = []
  const remaining: Block[] = []
  for (const block of blocks.toReversed()) {
    if (block.kind === 'heading') {
      if (hasRemaining[block.level] || !hasText[block.level]) remaining.push(block)
      for (let level = block.level; level <= maxHeadingLevel; level++) hasText[level] = hasRemaining[level] = false
      continue
    }
    const remains = !isRemoved(block)
    if (remains) remaining.push(block)
    for (let level = 0; level <= maxHeadingLevel; level++) {
      hasText[level] = true
      hasRemaining[level] ||= remains
    }
  }
  return remaining.reverse()
}

/** Headings have no hashes: equal headings, such as 'Notes', have different text on each page. */
function hashesOf(blocks: Block[], hashOf: (block: Block) => string): Set<string> {
  return new Set(blocks.filter(({ kind }) => kind !== 'heading').map(hashOf))
}

function contentHash({ kind, text }: Block): string {
  return hashText(`${kind}\n${normalize(text)}`)
}

/** Ignores the kind of the block, and dates and times, so that a footer with its creation time is the same on all pages. */
function aroundHash({ text }: Block): string {
  return hashText(`around\n${normalize(text).replace(datesAndTimes, '#')}`)
}

/**
 * Opening hours that differ are different contacts. So are equal lines in different languages, such as a telephone number:
 * a site in several languages has contacts in each, and each of them is complete.
 */
function contactHashIn(language: string): (block: Block) => string {
  const [primary = ''] = language.split('-')
  return ({ text }) => hashText(`contact\n${primary}\n${normalize(text)}`)
}

const datesAndTimes = /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d(:\d\d)?|(19|20)\d\d/g

function normalize(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
