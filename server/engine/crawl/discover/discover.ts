import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { decodeHtml } from '../../charset/decode-html'
import { crawlLimits } from '../../limits'
import type { SiteAccess } from '../../ports/fetcher'
import { denied, type PoliteFetchDeps, politeFetch } from '../fetch/polite-fetch'
import { linksInLlmsTxt } from '../formats/llms'
import { entryPages } from '../urls/entry-pages'
import { domainRoot, isSameSite, linkExclusion, normalizeAddress } from '../urls/urls'
import type { Discovered } from './discovered'
import { readSitemaps, type SitemapDeps } from './read-sitemaps'

export type CrawlType = 'url' | 'sitemap' | 'domain'

export interface DiscoveryRequest {
  type: CrawlType
  url: string
  /** Path and query of the page that a domain starts with, before its front page. */
  startPath?: string | null
  access?: SiteAccess | null
  /** Milliseconds between two requests to the site, in place of the default. */
  crawlDelayMs?: number
}

const itemsPerYield = 500

/** Whether a source is crawled by its links, as only a domain is: a URL is one page, a sitemap lists its pages. */
export function followsLinks(type: CrawlType | 'file'): boolean {
  return type === 'domain'
}

/**
 * Finds the URLs that a crawl starts with, normalized and unique: the URL itself, what a sitemap lists for its own site,
 * or the entry pages of a domain with what its sitemaps and llms.txt list. Rejects only when `signal` aborts.
 */
export async function* discover(
  deps: SitemapDeps,
  request: DiscoveryRequest,
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const { type, url, startPath = null } = request
  const start = type === 'domain' ? domainRoot(url) : normalizeAddress(url)
  if (start === null) {
    const reason = 'invalid-address'
    yield { kind: 'problem', url, reason, message: reasonText(reason) }
    return
  }
  const seen = new Set<string>()
  let items = 0
  const found =
    type === 'url'
      ? []
      : type === 'sitemap'
        ? fromSitemap(deps, request, start, signal)
        : fromDomain(deps, request, start, signal)
  const entries = type === 'url' ? [start] : entryPages({ type, url, startPath })
  for (const entry of entries) yield* unique({ kind: 'address', url: entry, lastModified: null })
  for await (const item of found) {
    if (++items % itemsPerYield === 0) {
      await yieldToEventLoop()
      signal?.throwIfAborted()
    }
    yield* unique(item)
    if (seen.size >= 2 * crawlLimits.pagesPerRun) {
      yield { kind: 'problem', url: start, reason: 'over-limit', message: reasonText('over-limit') }
      return
    }
  }

  function* unique(item: Discovered): Generator<Discovered> {
    if (item.kind === 'address') {
      if (seen.has(item.url)) return
      seen.add(item.url)
    }
    yield item
  }
}

async function* fromSitemap(
  deps: SitemapDeps,
  request: DiscoveryRequest,
  site: string,
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const robots = await deps.robots.rulesFor(site, { crawlDelayMs: request.crawlDelayMs, signal })
  const exempt = new Set(robots.kind === 'rules' ? robots.rules.sitemaps : [])
  yield* readSitemaps(deps, { ...request, site, files: [new URL(request.url.trim()).href], exempt }, signal)
}

async function* fromDomain(
  deps: SitemapDeps,
  request: DiscoveryRequest,
  frontPage: string,
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const robots = await deps.robots.rulesFor(frontPage, { crawlDelayMs: request.crawlDelayMs, signal })
  // Fetching the front page reports the problem.
  if (robots.kind === 'unavailable') return
  const { sitemaps } = robots.rules
  const site = { ...request, site: frontPage, exempt: new Set(sitemaps) }
  let isAnyListed = false
  if (sitemaps.length > 0) {
    for await (const item of readSitemaps(deps, { ...site, files: sitemaps }, signal)) {
      isAnyListed ||= item.kind === 'address'
      yield item
    }
  }
  // The sitemaps in robots.txt may be outdated.
  if (!isAnyListed) yield* fromDefaultSitemaps(deps, site, signal)
  yield* fromLlmsTxt(deps, request, frontPage, signal)
}

/** Sitemaps at their usual URLs. A missing one is no problem. */
async function* fromDefaultSitemaps(
  deps: SitemapDeps,
  site: DiscoveryRequest & { site: string; exempt: Set<string> },
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  for (const name of ['sitemap.xml', 'sitemap_index.xml']) {
    let isMissing = false
    const file = `${site.site}${name}`
    if (site.exempt.has(file)) continue
    for await (const item of readSitemaps(deps, { ...site, files: [file] }, signal)) {
      const isProblemOfFile = item.kind === 'problem' && item.url === file
      if (isProblemOfFile) isMissing = missingReasons.has(item.reason)
      if (!isProblemOfFile || item.reason === 'over-limit') yield item
    }
    if (!isMissing) return
  }
}

/** Reasons that mean that a server has no sitemap at a URL. */
const missingReasons = new Set<ReasonCode>(['not-found', 'gone', 'only-xml-sitemaps'])

async function* fromLlmsTxt(
  deps: PoliteFetchDeps,
  { access, crawlDelayMs }: DiscoveryRequest,
  frontPage: string,
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const file = `${frontPage}llms.txt`
  const denyRedirect = (target: string) => (isSameSite(target, frontPage) ? null : denied('other-host'))
  const response = await politeFetch(deps, { url: file, kind: 'page', access, crawlDelayMs, denyRedirect }, signal)
  if (response.kind !== 'fetched' || response.status !== 200) return
  const contentType = response.headers['content-type'] ?? ''
  if (!/^\s*(text\/(plain|markdown|x-markdown)\b|$)/i.test(contentType)) return
  for (const url of linksInLlmsTxt(decodeHtml(response.body, contentType), response.url)) {
    // Copies of pages for language models.
    const isCopy = /\.(md|mdx|txt)$/i.test(new URL(url).pathname)
    if (isSameSite(url, frontPage) && !isCopy && linkExclusion(url, frontPage) === null) {
      yield { kind: 'address', url, lastModified: null }
    }
  }
}
