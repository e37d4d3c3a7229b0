import { escapeText } from 'entities/escape'
import { decodeHtml } from '../../charset/decode-html'
import type { SiteAccess } from '../../ports/fetcher'
import { parseFeed } from '../formats/feed'
import { linksInLlmsTxt } from '../formats/llms'
import { markdownToHtml } from '../formats/markdown'
import { isSameSite, normalizeAddress } from '../urls/urls'
import { denied, type PoliteFetchDeps, politeFetch } from './polite-fetch'
import { createSingleFlightCache } from './single-flight-cache'

/** Finds the text of pages that scripts build elsewhere on the site: in Markdown copies of llms.txt, and in feeds. */
export interface AlternateTexts {
  /**
   * The page's text as HTML: the Markdown copy that the site's llms.txt links to, else the page's entry in one of
   * `feeds`; null without either. Rejects only when the signal aborts.
   */
  find(url: string, feeds: readonly string[], visitor: Visitor): Promise<string | null>
}

interface Visitor {
  access: SiteAccess | null
  crawlDelayMs?: number
  signal?: AbortSignal
}

/** A run requests each feed and llms.txt about once. */
const maxCached = 20
const cacheMs = 10 * 60 * 1000
const maxFeedsPerPage = 3

export function createAlternateTexts({
  now = Date.now,
  ...deps
}: PoliteFetchDeps & { now?: () => number }): AlternateTexts {
  const llmsLinks = createSingleFlightCache<Set<string>>({ max: maxCached, now })
  const feedEntries = createSingleFlightCache<Map<string, string>>({ max: maxCached, now })

  async function read(url: string, type: RegExp, { access, crawlDelayMs, signal }: Visitor): Promise<string | null> {
    const denyRedirect = (target: string) => (isSameSite(target, url) ? null : denied('other-host'))
    const response = await politeFetch(deps, { url, kind: 'page', access, crawlDelayMs, denyRedirect }, signal)
    if (response.kind !== 'fetched' || response.status !== 200) return null
    const contentType = response.headers['content-type'] ?? ''
    return type.test(contentType) ? decodeHtml(response.body, contentType) : null
  }

  async function markdownCopy(url: string, visitor: Visitor): Promise<string | null> {
    const file = new URL('/llms.txt', url).href
    const links = await llmsLinks.get(
      cacheKey(file, visitor.access),
      async () => {
        const text = await read(file, plainText, visitor)
        return { value: new Set(text === null ? [] : linksInLlmsTxt(text, file)), ttlMs: cacheMs }
      },
      visitor.signal,
    )
    const copy = copyUrls(url).find((copyUrl) => links.has(copyUrl))
    const text = copy === undefined ? null : await read(copy, plainText, visitor)
    return text === null || /^[\s\ufeff]*</.test(text) ? null : markdownToHtml(text)
  }

  async function feedEntry(feed: string, url: string, visitor: Visitor): Promise<string | null> {
    const entries = await feedEntries.get(
      cacheKey(feed, visitor.access),
      async () => ({ value: entriesByUrl(await read(feed, xml, visitor), feed), ttlMs: cacheMs }),
      visitor.signal,
    )
    return entries.get(url) ?? null
  }

  return {
    async find(url, feeds, visitor) {
      const copy = await markdownCopy(url, visitor)
      if (copy !== null) return copy
      for (const feed of feeds.filter((text) => isSameSite(text, url)).slice(0, maxFeedsPerPage)) {
        const entry = await feedEntry(feed, url, visitor)
        if (entry !== null) return entry
      }
      return null
    },
  }
}

const plainText = /^\s*(text\/(plain|markdown|x-markdown)\b|$)/i
const xml = /^\s*(application|text)\/([\w.-]+\+)?xml\b/i

/** Where llms.txt sites put the Markdown copy of a page (llmstxt.org). */
function copyUrls(url: string): string[] {
  const { origin, pathname, search } = new URL(url)
  if (search !== '') return []
  const page = `${origin}${pathname}`
  const names = pathname.endsWith('/')
    ? [`${page}index.html.md`, `${page}index.md`, `${page.slice(0, -1)}.md`]
    : [`${page}.md`, page.replace(/\.html?$/, '.md'), `${page}/index.html.md`, `${page}/index.md`]
  return names.flatMap((name) => normalizeAddress(name) ?? [])
}

/** HTML of the entries that have text, by the URL of their page. */
function entriesByUrl(text: string | null, feed: string): Map<string, string> {
  const entries = new Map<string, string>()
  for (const { address, title, content } of (text === null ? null : parseFeed(text)) ?? []) {
    const page = normalizeAddress(address, feed)
    if (page === null || content === '') continue
    const name = escapeText(title)
    entries.set(page, `<title>${name}</title><main><h1>${name}</h1>${content}</main>`)
  }
  return entries
}

/** Visitors with credentials may see another text. */
function cacheKey(url: string, access: SiteAccess | null): string {
  return access ? `${url} ${JSON.stringify(access.headers)}` : url
}
