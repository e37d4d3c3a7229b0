import sax from 'sax'
import { languageTag } from '../../language/language-tag'
import { crawlLimits } from '../../limits'

export interface SitemapEntry {
  address: string
  /** As it stands in the file: a date or date and time of ISO 8601. */
  lastModified: string | null
  /** As its hreflang says, in BCP 47, lower case; null without one. */
  language: string | null
}

export type SitemapFile =
  | {
      kind: 'addresses' | 'index'
      /**
       * Pages, or the sitemaps that an index lists, in order, as they stand in the file; forms in other languages
       * (hreflang) that are not listed themselves stand behind them.
       */
      entries: SitemapEntry[]
      /** The XML breaks off; the entries are those before. */
      broken: boolean
      /** It lists more than the entries, which are as many as are taken. */
      cut: boolean
    }
  | { kind: 'refused'; reason: 'only-xml-sitemaps' | 'too-large' }

/** Of one element's text, of the nesting, and of one element's attributes: no sitemap has more. */
const longestText = 8 * crawlLimits.urlLength
const deepest = 50
const mostAttributes = 200

/**
 * Reads the text of one sitemap, piece by piece. Entities other than XML's own five are never expanded; a bare ampersand
 * is taken for one. At most 50,000 entries are taken.
 */
export function createEntryReader() {
  const parser = sax.parser(true)
  const entries: SitemapEntry[] = []
  const otherForms = new Map<string, { entry: SitemapEntry; language: string }>()
  let depth = 0
  let kind: 'addresses' | 'index' | null = null
  let prefix = ''
  let entry: SitemapEntry = { address: '', lastModified: null, language: null }
  let text = ''
  let attributes = 0
  let broken = false
  let cut = false
  let done = false

  parser.onattribute = () => {
    attributes++
    if (attributes > mostAttributes) fail()
  }
  parser.onopentag = (tag) => {
    attributes = 0
    depth++
    text = ''
    if (depth > deepest) fail()
    if (depth === 1) {
      prefix = tag.name.slice(0, tag.name.indexOf(':') + 1)
      const root = tag.name.slice(prefix.length)
      kind = root === 'urlset' ? 'addresses' : root === 'sitemapindex' ? 'index' : null
      if (kind === null) done = true
    }
    if (depth === 2) entry = { address: '', lastModified: null, language: null }
    if (depth === 3 && tag.name.endsWith(':link')) takeOtherForm(tag.attributes as Record<string, string>)
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.onclosetag = (name) => {
    // The parser goes on to the end of what it was given, also after a mistake.
    if (done) return
    // Extensions (images, videos) have elements of the same names under other prefixes.
    if (depth === 3 && name === `${prefix}loc`) entry.address = ownCopy(text.trim())
    if (depth === 3 && name === `${prefix}lastmod`) entry.lastModified = ownCopy(text.trim()) || null
    const isEntry = name === `${prefix}url` || name === `${prefix}sitemap`
    if (depth === 2 && isEntry) {
      // Some write the address without an element of its own.
      if (entry.address === '' && /^\s*https?:/i.test(text)) entry.address = ownCopy(text.trim())
      if (entry.address !== '') take(entry)
    }
    depth--
    text = ''
    if (depth === 0) done = true
  }
  parser.onerror = (error) => {
    // Ampersands of queries are often left as they are.
    if (error.message.startsWith('Invalid character in entity name')) parser.error = null as unknown as Error
    else fail()
  }

  /** The limit is met by the entry behind it: until then the file may have ended. */
  function take(one: SitemapEntry): void {
    if (entries.length < crawlLimits.sitemap.addresses) entries.push(one)
    else cut = done = true
  }

  function takeOtherForm({ rel, hreflang, href }: Record<string, string>): void {
    if (done || rel !== 'alternate' || !hreflang || !href) return
    const known = otherForms.get(href)
    // Of the same page, so changed when the page is: the entry learns its date later on.
    if (known) known.language ||= languageTag(hreflang)
    else if (otherForms.size < crawlLimits.sitemap.addresses)
      otherForms.set(href, { entry, language: languageTag(hreflang) })
    else cut = true
  }

  function collect(piece: string): void {
    text += piece.slice(0, longestText - text.length)
  }

  function fail(): void {
    if (!done) broken = true
    done = true
  }

  return {
    write(piece: string): void {
      try {
        parser.write(piece)
      } catch {
        // Already told by onerror; the parser throws again when it is written to.
      }
    },
    isDone: () => done,
    end(): SitemapFile {
      if (kind === null) return { kind: 'refused', reason: 'only-xml-sitemaps' }
      const isBroken = broken || !done
      const listed = new Set<string>()
      for (const one of otherForms.size > 0 ? entries : []) {
        listed.add(one.address)
        one.language = otherForms.get(one.address)?.language || null
      }
      for (const [href, { entry, language }] of otherForms) {
        const address = href.trim()
        if (!listed.has(address)) take({ address, lastModified: entry.lastModified, language: language || null })
      }
      return { kind, entries, broken: isBroken, cut }
    },
  }
}

/** A part of a string keeps all of it in memory, which is a piece of the file. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString()
}
