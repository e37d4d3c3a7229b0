import sax from 'sax'
import { crawlLimits } from '../../limits'

export interface FeedEntry {
  /** Absolute or relative, as in the file. */
  address: string
  /** '' without one. */
  title: string
  /** HTML: the longest text of the entry, truncated to 200 KB; '' without one. */
  content: string
}

/** Maximum length of a feed, in characters. Feeds list the newest entries first. */
const maxFeedLength = 1024 * 1024
const maxXmlErrors = 200
const maxTitleLength = 300
const maxContentLength = 200 * 1024
/** Elements that hold the text of an entry, or an excerpt. */
const contentElements = new Set(['description', 'content:encoded', 'summary', 'content'])
const maxDepth = 50
const roots = new Set(['rss', 'rdf', 'feed'])

/**
 * The entries of an RSS or Atom feed of any version, in order, up to `crawlLimits.linksPerPage`. Null for any other
 * text. Tolerates errors in the XML; does not expand entities that the file defines.
 */
export function parseFeed(text: string): FeedEntry[] | null {
  const reader = createReader()
  const chunkLength = 16 * 1024
  for (let index = 0; index < Math.min(text.length, maxFeedLength) && !reader.isDone(); index += chunkLength) {
    reader.write(text.slice(index, index + chunkLength))
  }
  return reader.entries()
}

function createReader() {
  const parser = sax.parser(true)
  const entries: FeedEntry[] = []
  let isFeed: boolean | null = null
  let depth = 0
  let errors = 0
  let entry: OpenEntry | null = null
  let field: { name: string; depth: number; text: string } | null = null

  parser.onopentag = ({ name, attributes }) => {
    depth++
    const { prefix, local } = splitName(name)
    if (isFeed === null) {
      isFeed = roots.has(local)
    } else if (!entry) {
      if (local === 'item' || local === 'entry')
        entry = { prefix, depth, link: '', permanent: '', title: '', content: '' }
    } else if (
      depth === entry.depth + 1 &&
      contentElements.has(name.slice(name.startsWith(entry.prefix) ? entry.prefix.length : 0))
    ) {
      field = { name: 'content', depth, text: '' }
    } else if (depth === entry.depth + 1 && prefix === entry.prefix) {
      // Extensions use the same names under other prefixes.
      if (local === 'link') readAtomLink(entry, attributes as Record<string, string>)
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
    errors++
    // Cleared, so that the parser continues.
    parser.error = null as unknown as Error
  }

  function collect(chunk: string): void {
    if (field) field.text += chunk.slice(0, Math.max(0, maxLengthOf(field.name) - field.text.length))
  }

  return {
    write: (chunk: string) => void parser.write(chunk),
    isDone: () =>
      isFeed === false || errors > maxXmlErrors || depth > maxDepth || entries.length >= crawlLimits.linksPerPage,
    entries: () => (isFeed ? entries.slice(0, crawlLimits.linksPerPage) : null),
  }
}

function maxLengthOf(field: string): number {
  if (field === 'content') return maxContentLength
  return field === 'title' ? maxTitleLength : crawlLimits.urlLength
}

interface OpenEntry {
  prefix: string
  depth: number
  link: string
  /** A guid that is a permalink, for entries without a link. */
  permanent: string
  title: string
  content: string
}

function splitName(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':')
  return { prefix: name.slice(0, colon + 1), local: name.slice(colon + 1).toLowerCase() }
}

/** The first link to HTML without a relation or with rel=alternate. */
function readAtomLink(entry: OpenEntry, { href, rel = 'alternate', type = 'text/html' }: Record<string, string>): void {
  if (href === undefined || rel !== 'alternate' || entry.link !== '') return
  if (/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) entry.link = href.trim()
}
