import { setImmediate as breathe } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import sax from 'sax'
import { crawlLimits } from '../limits'

export interface SitemapEntry {
  address: string
  /** As it stands in the file: a date or date and time of ISO 8601. */
  lastModified: string | null
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
    }
  | { kind: 'refused'; reason: 'only-xml-sitemaps' | 'too-large' }

/** A piece is parsed within a few milliseconds. */
const pieceBytes = 64 * 1024
/** Of one element's text, of the nesting, and of one element's attributes: no sitemap has more. */
const longestText = 8 * crawlLimits.urlLength
const deepest = 50
const mostAttributes = 200

/**
 * Reads one sitemap file (sitemaps.org), plain or gzip by its first bytes, in the encoding that its mark or its XML
 * declaration names. At most 50,000 entries are taken. Entities other than XML's own five are never expanded; a bare
 * ampersand is taken for one. The event loop breathes between pieces of the file.
 */
export async function parseSitemap(bytes: Uint8Array): Promise<SitemapFile> {
  const reader = createReader()
  let decoder: TextDecoder | null = null
  let size = 0
  try {
    for await (const piece of piecesOf(bytes)) {
      size += piece.length
      if (size > crawlLimits.sitemap.decodedBytes) return { kind: 'refused', reason: 'too-large' }
      decoder ??= new TextDecoder(encodingOf(piece))
      reader.write(decoder.decode(piece, { stream: true }))
      if (reader.isDone()) break
      await breathe()
    }
  } catch {
    // The file cannot be unpacked any further; what came before was read.
  }
  return reader.end()
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const gunzip = createGunzip({ chunkSize: pieceBytes })
    gunzip.end(bytes)
    yield* gunzip as AsyncIterable<Uint8Array>
    return
  }
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

/** By the mark, the zero bytes around the first sign, or the XML declaration; UTF-8 without any. */
function encodingOf(start: Uint8Array): string {
  const [first, second] = start
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  const head = new TextDecoder('latin1').decode(start.subarray(0, 256))
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]
  // What can be read as ASCII is no UTF-16, whatever it says.
  if (declared === undefined || /^(utf|ucs|iso-10646)/i.test(declared)) return 'utf-8'
  try {
    return new TextDecoder(declared).encoding
  } catch {
    return 'utf-8'
  }
}

function createReader() {
  const parser = sax.parser(true)
  const entries: SitemapEntry[] = []
  const otherForms = new Map<string, SitemapEntry>()
  let depth = 0
  let kind: 'addresses' | 'index' | null = null
  let prefix = ''
  let entry: SitemapEntry = { address: '', lastModified: null }
  let text = ''
  let attributes = 0
  let broken = false
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
    if (depth === 2) entry = { address: '', lastModified: null }
    if (depth === 3 && tag.name.endsWith(':link')) takeOtherForm(tag.attributes as Record<string, string>)
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.onclosetag = (name) => {
    // The parser goes on to the end of what it was given, also after a mistake.
    if (done) return
    // Extensions (images, videos) have elements of the same names under other prefixes.
    if (depth === 3 && name === `${prefix}loc`) entry.address = text.trim()
    if (depth === 3 && name === `${prefix}lastmod`) entry.lastModified = text.trim() || null
    const isEntry = name === `${prefix}url` || name === `${prefix}sitemap`
    if (depth === 2 && isEntry) {
      // Some write the address without an element of its own.
      if (entry.address === '' && /^\s*https?:/i.test(text)) entry.address = text.trim()
      if (entry.address !== '') entries.push(entry)
    }
    depth--
    text = ''
    if (depth === 0 || entries.length >= crawlLimits.sitemap.addresses) done = true
  }
  parser.onerror = (error) => {
    // Ampersands of queries are often left as they are.
    if (error.message.startsWith('Invalid character in entity name')) parser.error = null as unknown as Error
    else fail()
  }

  function takeOtherForm({ rel, hreflang, href }: Record<string, string>): void {
    if (done || rel !== 'alternate' || !hreflang || !href || otherForms.size >= crawlLimits.sitemap.addresses) return
    // Of the same page, so changed when the page is: the entry learns its date later on.
    if (!otherForms.has(href)) otherForms.set(href, entry)
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
      const listed = new Set(entries.map(({ address }) => address))
      for (const [href, { lastModified }] of otherForms) {
        const address = href.trim()
        if (entries.length < crawlLimits.sitemap.addresses && !listed.has(address))
          entries.push({ address, lastModified })
      }
      return { kind, entries, broken: broken || !done }
    },
  }
}
