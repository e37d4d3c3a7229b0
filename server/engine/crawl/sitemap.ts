import { setImmediate as breathe } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
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
      /** Pages, or the sitemaps that an index lists, in order, as they stand in the file. */
      entries: SitemapEntry[]
      /** The XML breaks off; the entries are those before. */
      broken: boolean
    }
  | { kind: 'refused'; reason: 'only-xml-sitemaps' | 'too-large' }

const unpack = promisify(gunzip)

/**
 * Reads one sitemap file (sitemaps.org), plain or gzip by its first bytes. At most 50,000 entries are taken. Entities
 * other than XML's own five are never expanded. The event loop breathes between pieces of the file.
 */
export async function parseSitemap(bytes: Uint8Array): Promise<SitemapFile> {
  let body = bytes
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      body = await unpack(bytes, { maxOutputLength: crawlLimits.sitemap.decodedBytes })
    } catch (error) {
      const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      return { kind: 'refused', reason: isLong ? 'too-large' : 'only-xml-sitemaps' }
    }
  }
  const reader = createReader()
  const decoder = new TextDecoder()
  for (let at = 0; at < body.length && !reader.isDone(); at += 256 * 1024) {
    if (at > 0) await breathe()
    reader.write(decoder.decode(body.subarray(at, at + 256 * 1024), { stream: true }))
  }
  return reader.end()
}

function createReader() {
  const parser = sax.parser(true, { trim: true })
  const entries: SitemapEntry[] = []
  const path: string[] = []
  let kind: 'addresses' | 'index' | null = null
  let prefix = ''
  let entry: SitemapEntry = { address: '', lastModified: null }
  let text = ''
  let broken = false
  let done = false

  parser.onopentag = ({ name }) => {
    if (path.length === 0) {
      prefix = name.includes(':') ? name.slice(0, name.indexOf(':') + 1) : ''
      const root = name.slice(prefix.length)
      kind = root === 'urlset' ? 'addresses' : root === 'sitemapindex' ? 'index' : null
      if (kind === null) done = true
    }
    path.push(name)
    if (path.length === 2) entry = { address: '', lastModified: null }
    text = ''
  }
  parser.ontext = (piece) => {
    text += piece
  }
  parser.oncdata = (piece) => {
    text += piece
  }
  parser.onclosetag = (name) => {
    // The parser goes on to the end of what it was given, also after a mistake.
    if (done) return
    // Extensions (images, videos) have elements of the same names under other prefixes.
    if (path.length === 3 && name === `${prefix}loc`) entry.address = text.trim()
    if (path.length === 3 && name === `${prefix}lastmod`) entry.lastModified = text.trim() || null
    path.pop()
    const isEntry = name === `${prefix}url` || name === `${prefix}sitemap`
    if (path.length === 1 && isEntry && entry.address) entries.push(entry)
    if (entries.length >= crawlLimits.sitemap.addresses) done = true
    if (path.length === 0) done = true
    text = ''
  }
  parser.onerror = () => {
    broken = true
    done = true
  }

  function write(piece: string): void {
    try {
      parser.write(piece)
    } catch {
      // Already told by onerror; the parser throws again when it is written to.
    }
  }

  return {
    write,
    isDone: () => done,
    end(): SitemapFile {
      if (kind === null) return { kind: 'refused', reason: 'only-xml-sitemaps' }
      return { kind, entries, broken: broken || !done }
    },
  }
}
