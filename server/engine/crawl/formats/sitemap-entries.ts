import sax from 'sax'
import { languageTag } from '../../language/language-tag'
import { crawlLimits } from '../../limits'

export interface SitemapEntry {
  address: string
  /** The text of `lastmod`: a date or date and time of ISO 8601. */
  lastModified: string | null
  /** Language from hreflang; BCP 47, lower case; null without one. */
  language: string | null
}

export type SitemapFile =
  | {
      kind: 'addresses' | 'index'
      /**
       * Pages, or the sitemaps of an index, in the order of the file; then alternates in other languages (hreflang)
       * that are not entries themselves.
       */
      entries: SitemapEntry[]
      /** The XML is not well-formed; `entries` are those before the error. */
      broken: boolean
      /** The file lists more than the maximum number of entries. */
      truncated: boolean
    }
  | { kind: 'refused'; reason: 'only-xml-sitemaps' | 'too-large' }

/** Limits of one element, more than any sitemap needs. */
const maxTextLength = 8 * crawlLimits.urlLength
const maxDepth = 50
const maxAttributes = 200

/**
 * Parses the text of one sitemap in chunks, up to 50,000 entries. Expands only the five entities of XML; accepts a bare
 * ampersand.
 */
export function createEntryReader() {
  const parser = sax.parser(true)
  const entries: SitemapEntry[] = []
  const alternates = new Map<string, { entry: SitemapEntry; language: string }>()
  let depth = 0
  let kind: 'addresses' | 'index' | null = null
  let prefix = ''
  let entry: SitemapEntry = { address: '', lastModified: null, language: null }
  let text = ''
  let attributes = 0
  let broken = false
  let truncated = false
  let done = false

  parser.onattribute = () => {
    attributes++
    if (attributes > maxAttributes) fail()
  }
  parser.onopentag = (tag) => {
    attributes = 0
    depth++
    text = ''
    if (depth > maxDepth) fail()
    if (depth === 1) {
      prefix = tag.name.slice(0, tag.name.indexOf(':') + 1)
      const root = tag.name.slice(prefix.length)
      kind = root === 'urlset' ? 'addresses' : root === 'sitemapindex' ? 'index' : null
      if (kind === null) done = true
    }
    if (depth === 2) entry = { address: '', lastModified: null, language: null }
    if (depth === 3 && tag.name.endsWith(':link')) addAlternate(tag.attributes as Record<string, string>)
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.onclosetag = (name) => {
    // The parser continues to the end of its chunk, even after an error.
    if (done) return
    // Extensions (images, videos) use the same names under other prefixes.
    if (depth === 3 && name === `${prefix}loc`) entry.address = copy(text.trim())
    if (depth === 3 && name === `${prefix}lastmod`) entry.lastModified = copy(text.trim()) || null
    const isEntry = name === `${prefix}url` || name === `${prefix}sitemap`
    if (depth === 2 && isEntry) {
      // Some files have the URL without an element of its own.
      if (entry.address === '' && /^\s*https?:/i.test(text)) entry.address = copy(text.trim())
      if (entry.address !== '') add(entry)
    }
    depth--
    text = ''
    if (depth === 0) done = true
  }
  parser.onerror = (error) => {
    // Ampersands of queries are often not escaped.
    if (error.message.startsWith('Invalid character in entity name')) parser.error = null as unknown as Error
    else fail()
  }

  /** Adds an entry. Only an entry beyond the limit truncates the file. */
  function add(sitemapEntry: SitemapEntry): void {
    if (entries.length < crawlLimits.sitemap.addresses) entries.push(sitemapEntry)
    else truncated = done = true
  }

  function addAlternate({ rel, hreflang, href }: Record<string, string>): void {
    if (done || rel !== 'alternate' || !hreflang || !href) return
    const known = alternates.get(href)
    // Keeps the entry, because its lastmod may follow.
    if (known) known.language ||= languageTag(hreflang)
    else if (alternates.size < crawlLimits.sitemap.addresses)
      alternates.set(href, { entry, language: languageTag(hreflang) })
    else truncated = true
  }

  function collect(chunk: string): void {
    text += chunk.slice(0, maxTextLength - text.length)
  }

  function fail(): void {
    if (!done) broken = true
    done = true
  }

  return {
    write(chunk: string): void {
      try {
        parser.write(chunk)
      } catch {
        // Handled by onerror; the parser throws again on every write.
      }
    },
    isDone: () => done,
    end(): SitemapFile {
      if (kind === null) return { kind: 'refused', reason: 'only-xml-sitemaps' }
      const isBroken = broken || !done
      const listed = new Set<string>()
      for (const sitemapEntry of alternates.size > 0 ? entries : []) {
        listed.add(sitemapEntry.address)
        sitemapEntry.language = alternates.get(sitemapEntry.address)?.language || null
      }
      for (const [href, { entry, language }] of alternates) {
        const address = href.trim()
        if (!listed.has(address)) add({ address, lastModified: entry.lastModified, language: language || null })
      }
      return { kind, entries, broken: isBroken, truncated }
    },
  }
}

/** A substring keeps the whole string in memory, here a chunk of the file. */
function copy(text: string): string {
  return Buffer.from(text).toString()
}
