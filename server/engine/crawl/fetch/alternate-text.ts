import { escapeText } from 'entities/escape'
import { decodeHtml } from '../../charset/decode-html'
import type { SiteAccess } from '../../ports'
import { parseFeed } from '../formats/feed'
import { linksOfLlmsText } from '../formats/llms'
import { htmlOfMarkdown } from '../formats/markdown'
import { isSameSite, normalizeAddress } from '../urls/urls'
import { type AskDeps, askSite, denied } from './polite-fetch'
import { createAnswerMemory } from './single-flight-cache'

/** Knows where a site tells the text of a page that it builds by script: its llms.txt and its feeds. */
export interface ToldPages {
  /**
   * An HTML page with the text of the page at `address`: the Markdown copy that its site's llms.txt links to, else its
   * entry in one of `feeds`; null where neither tells it. Rejects only when the signal aborts.
   */
  htmlFor(address: string, feeds: readonly string[], visitor: Visitor): Promise<string | null>
}

interface Visitor {
  access: SiteAccess | null
  gapMs?: number
  signal?: AbortSignal
}

/** Feeds and lists that are kept, for so many milliseconds: a run asks for each of them about once. */
const memorySize = 20
const holdsMs = 10 * 60 * 1000
/** Feeds of one page that are looked into. */
const mostFeeds = 3

export function createToldPages({ now = Date.now, ...deps }: AskDeps & { now?: () => number }): ToldPages {
  const lists = createAnswerMemory<Set<string>>({ size: memorySize, now })
  const feedTexts = createAnswerMemory<Map<string, string>>({ size: memorySize, now })

  async function read(url: string, type: RegExp, { access, gapMs, signal }: Visitor): Promise<string | null> {
    const refusalOf = (target: string) => (isSameSite(target, url) ? null : denied('other-host'))
    const answer = await askSite(deps, { url, kind: 'page', access, gapMs, refusalOf }, signal)
    if (answer.kind !== 'fetched' || answer.status !== 200) return null
    const contentType = answer.headers['content-type'] ?? ''
    return type.test(contentType) ? decodeHtml(answer.body, contentType) : null
  }

  async function copyIn(address: string, visitor: Visitor): Promise<string | null> {
    const file = new URL('/llms.txt', address).href
    const listed = await lists.recall(
      nameOf(file, visitor.access),
      async () => {
        const text = await read(file, plainText, visitor)
        return { answer: new Set(text === null ? [] : linksOfLlmsText(text, file)), holdsMs }
      },
      visitor.signal,
    )
    const copy = copiesOf(address).find((one) => listed.has(one))
    const text = copy === undefined ? null : await read(copy, plainText, visitor)
    return text === null || /^[\s\ufeff]*</.test(text) ? null : htmlOfMarkdown(text)
  }

  async function entryIn(feed: string, address: string, visitor: Visitor): Promise<string | null> {
    const texts = await feedTexts.recall(
      nameOf(feed, visitor.access),
      async () => ({ answer: textsOf(await read(feed, xml, visitor), feed), holdsMs }),
      visitor.signal,
    )
    return texts.get(address) ?? null
  }

  return {
    async htmlFor(address, feeds, visitor) {
      const copy = await copyIn(address, visitor)
      if (copy !== null) return copy
      for (const feed of feeds.filter((one) => isSameSite(one, address)).slice(0, mostFeeds)) {
        const entry = await entryIn(feed, address, visitor)
        if (entry !== null) return entry
      }
      return null
    },
  }
}

const plainText = /^\s*(text\/(plain|markdown|x-markdown)\b|$)/i
const xml = /^\s*(application|text)\/([\w.-]+\+)?xml\b/i

/** Where the Markdown of a page stands by the custom of llms.txt. */
function copiesOf(address: string): string[] {
  const { origin, pathname, search } = new URL(address)
  if (search !== '') return []
  const page = `${origin}${pathname}`
  const names = pathname.endsWith('/')
    ? [`${page}index.html.md`, `${page}index.md`, `${page.slice(0, -1)}.md`]
    : [`${page}.md`, page.replace(/\.html?$/, '.md'), `${page}/index.html.md`, `${page}/index.md`]
  return names.flatMap((name) => normalizeAddress(name) ?? [])
}

/** By the address of the page; entries that tell nothing are left out. */
function textsOf(text: string | null, feed: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { address, title, content } of (text === null ? null : parseFeed(text)) ?? []) {
    const page = normalizeAddress(address, feed)
    if (page === null || content === '') continue
    const name = escapeText(title)
    texts.set(page, `<title>${name}</title><main><h1>${name}</h1>${content}</main>`)
  }
  return texts
}

/** Who is let in may see another text than who is not. */
function nameOf(url: string, access: SiteAccess | null): string {
  return access ? `${url} ${JSON.stringify(access.headers)}` : url
}
