import sax from 'sax'
import { crawlLimits } from '../../limits'

export interface FeedEntry {
  /** As it stands in the file: absolute or relative. */
  address: string
  /** '' when the entry has none. */
  title: string
  /** HTML: the longest text of the entry, cut off where it is very long; '' when it has none. */
  content: string
}

/** The part of a feed that is read, in characters; the newest entries stand first. */
const longestFeed = 1024 * 1024
/** After so many mistakes in its XML a feed is not read on. */
const mostMistakes = 200
const longestTitle = 300
const longestContent = 200 * 1024
/** Elements that hold the text of an entry, or its beginning. */
const contents = new Set(['description', 'content:encoded', 'summary', 'content'])
const deepest = 50
const roots = new Set(['rss', 'rdf', 'feed'])

/**
 * The entries of a feed, in order, as many as links are taken from a page: RSS of all versions and Atom. Null when the
 * text is no feed. Mistakes in the XML are passed over, and entities that the file itself defines are not expanded.
 */
export function parseFeed(text: string): FeedEntry[] | null {
  const reader = createReader()
  const piece = 16 * 1024
  for (let at = 0; at < Math.min(text.length, longestFeed) && !reader.isDone(); at += piece) {
    reader.write(text.slice(at, at + piece))
  }
  return reader.entries()
}

function createReader() {
  const parser = sax.parser(true)
  const entries: FeedEntry[] = []
  let isFeed: boolean | null = null
  let depth = 0
  let mistakes = 0
  let entry: OpenEntry | null = null
  let field: { name: string; depth: number; text: string } | null = null

  parser.onopentag = ({ name, attributes }) => {
    depth++
    const { prefix, local } = nameOf(name)
    if (isFeed === null) {
      isFeed = roots.has(local)
    } else if (!entry) {
      if (local === 'item' || local === 'entry')
        entry = { prefix, depth, link: '', permanent: '', title: '', content: '' }
    } else if (
      depth === entry.depth + 1 &&
      contents.has(name.slice(name.startsWith(entry.prefix) ? entry.prefix.length : 0))
    ) {
      field = { name: 'content', depth, text: '' }
    } else if (depth === entry.depth + 1 && prefix === entry.prefix) {
      // Extensions have elements of the same names under other prefixes.
      if (local === 'link') takeAtomLink(entry, attributes as Record<string, string>)
      const isPermanent = (attributes as Record<string, string>).isPermaLink !== 'false'
      if (local === 'title' || local === 'link' || (local === 'guid' && isPermanent)) {
        field = { name: local, depth, text: '' }
      }
    }
  }
  parser.ontext = collect
  parser.oncdata = collect
  parser.onclosetag = () => {
    if (entry && field?.depth === depth) {
      const value = field.text.replace(/\s+/g, ' ').trim()
      if (field.name === 'content') {
        if (field.text.length > entry.content.length) entry.content = field.text.trim()
      } else if (field.name === 'title') entry.title = value
      else if (field.name === 'guid') entry.permanent = value
      else if (value !== '') entry.link = value
      field = null
    }
    if (entry?.depth === depth) {
      const address = entry.link || entry.permanent
      if (address !== '') entries.push({ address, title: entry.title, content: entry.content })
      entry = null
    }
    depth--
  }
  parser.onerror = () => {
    mistakes++
    // Cleared, so that the parser goes on: half a feed is worth reading.
    parser.error = null as unknown as Error
  }

  function collect(piece: string): void {
    if (field) field.text += piece.slice(0, Math.max(0, longestOf(field.name) - field.text.length))
  }

  return {
    write: (piece: string) => void parser.write(piece),
    isDone: () =>
      isFeed === false || mistakes > mostMistakes || depth > deepest || entries.length >= crawlLimits.linksPerPage,
    entries: () => (isFeed ? entries.slice(0, crawlLimits.linksPerPage) : null),
  }
}

function longestOf(field: string): number {
  if (field === 'content') return longestContent
  return field === 'title' ? longestTitle : crawlLimits.urlLength
}

interface OpenEntry {
  prefix: string
  depth: number
  link: string
  /** A guid that is an address, for entries without a link. */
  permanent: string
  title: string
  content: string
}

function nameOf(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':')
  return { prefix: name.slice(0, colon + 1), local: name.slice(colon + 1).toLowerCase() }
}

/** Atom names the page by a link without a relation, or by an alternate one; the first that is a page wins. */
function takeAtomLink(entry: OpenEntry, { href, rel = 'alternate', type = 'text/html' }: Record<string, string>): void {
  if (href === undefined || rel !== 'alternate' || entry.link !== '') return
  if (/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) entry.link = href.trim()
}
