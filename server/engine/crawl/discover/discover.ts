import { setImmediate as breathe } from 'node:timers/promises'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { decodeHtml } from '../../charset/decode-html'
import { crawlLimits } from '../../limits'
import type { SiteAccess } from '../../ports'
import { type AskDeps, askSite, denied } from '../fetch/polite-fetch'
import { linksOfLlmsText } from '../formats/llms'
import { domainAddress, isSameSite, normalizeAddress, refusalOfLink } from '../urls/urls'
import { readSitemaps, type SitemapDeps } from './read-sitemaps'

export type CrawlType = 'url' | 'sitemap' | 'domain'

export interface CrawlStart {
  type: CrawlType
  url: string
  /** What opens a protected site. */
  access?: SiteAccess | null
  /** Milliseconds between two requests to the site, in place of the default. */
  gapMs?: number
}

/** `language`: as a sitemap names it, BCP 47 in lower case. `problem`: what a person should know although the crawl goes on. */
export type Discovered =
  | { kind: 'address'; address: string; lastModified: string | null; language?: string | null }
  | { kind: 'problem'; address: string; reason: ReasonCode; message: string }

/** `left`: a listed address that no crawl of this source reads. */
export type Surveyed = Discovered | { kind: 'left'; address: string; reason: ReasonCode; message: string }

/** So many addresses are handed over before the event loop has its turn. */
const breath = 500

/** Only a domain is read by its links; a URL is one page, a sitemap says itself what belongs to it. */
export function followsLinks(type: CrawlType): boolean {
  return type === 'domain'
}

/**
 * The addresses that a crawl starts with, normalized, each once: of a URL itself, of a sitemap all that it lists for its
 * own site, of a domain its front page and what its sitemaps and llms.txt list. Rejects only when `signal` aborts.
 */
export async function* discover(
  deps: SitemapDeps,
  start: CrawlStart,
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  for await (const found of survey(deps, start, signal)) {
    if (found.kind !== 'left') yield found
  }
}

/** As `discover`, and what is listed but not read. */
export async function* survey(deps: SitemapDeps, start: CrawlStart, signal?: AbortSignal): AsyncGenerator<Surveyed> {
  const { type, url } = start
  const first = type === 'domain' ? domainAddress(url) : normalizeAddress(url)
  if (first === null) {
    const reason = 'invalid-address'
    yield { kind: 'problem', address: url, reason, message: reasonText(reason) }
    return
  }
  const seen = new Set<string>()
  let handedOver = 0
  const found =
    type === 'url'
      ? []
      : type === 'sitemap'
        ? ofSitemap(deps, start, first, signal)
        : ofDomain(deps, start, first, signal)
  if (type !== 'sitemap') yield* remember({ kind: 'address', address: first, lastModified: null })
  for await (const one of found) {
    if (++handedOver % breath === 0) {
      await breathe()
      signal?.throwIfAborted()
    }
    yield* remember(one)
    if (seen.size >= 2 * crawlLimits.pagesPerRun) {
      yield { kind: 'problem', address: first, reason: 'over-limit', message: reasonText('over-limit') }
      return
    }
  }

  /** Each address once. */
  function* remember(one: Surveyed): Generator<Surveyed> {
    if (one.kind === 'address') {
      if (seen.has(one.address)) return
      seen.add(one.address)
    }
    yield one
  }
}

async function* ofSitemap(
  deps: SitemapDeps,
  start: CrawlStart,
  first: string,
  signal?: AbortSignal,
): AsyncGenerator<Surveyed> {
  const robots = await deps.robots.rulesFor(first, { gapMs: start.gapMs, signal })
  const named = new Set(robots.kind === 'rules' ? robots.rules.sitemaps : [])
  yield* readSitemaps(deps, { ...start, site: first, files: [new URL(start.url.trim()).href], named }, signal)
}

async function* ofDomain(
  deps: SitemapDeps,
  start: CrawlStart,
  front: string,
  signal?: AbortSignal,
): AsyncGenerator<Surveyed> {
  const robots = await deps.robots.rulesFor(front, { gapMs: start.gapMs, signal })
  // The visit of the front page tells what is wrong with the site.
  if (robots.kind === 'unavailable') return
  const { sitemaps } = robots.rules
  const source = { ...start, site: front, named: new Set(sitemaps) }
  let isAnyListed = false
  if (sitemaps.length > 0) {
    for await (const found of readSitemaps(deps, { ...source, files: sitemaps }, signal)) {
      isAnyListed ||= found.kind === 'address'
      yield found
    }
  }
  // A line of robots.txt may be older than the sitemap.
  if (!isAnyListed) yield* ofUsualPlaces(deps, source, signal)
  yield* ofLlmsText(deps, start, front, signal)
}

/** Nobody promised a sitemap there, so that it is no problem when there is none. */
async function* ofUsualPlaces(
  deps: SitemapDeps,
  source: CrawlStart & { site: string; named: Set<string> },
  signal?: AbortSignal,
): AsyncGenerator<Surveyed> {
  for (const name of ['sitemap.xml', 'sitemap_index.xml']) {
    let isMissing = false
    const file = `${source.site}${name}`
    if (source.named.has(file)) continue
    for await (const found of readSitemaps(deps, { ...source, files: [file] }, signal)) {
      const isOfFile = found.kind === 'problem' && found.address === file
      if (isOfFile) isMissing = absent.has(found.reason)
      if (!isOfFile || found.reason === 'over-limit') yield found
    }
    if (!isMissing) return
  }
}

/** What a server answers with where it has no sitemap. */
const absent = new Set<ReasonCode>(['not-found', 'gone', 'only-xml-sitemaps'])

/** Pages of the site that its llms.txt links to. */
async function* ofLlmsText(
  deps: AskDeps,
  { access, gapMs }: CrawlStart,
  front: string,
  signal?: AbortSignal,
): AsyncGenerator<Surveyed> {
  const url = `${front}llms.txt`
  const refusalOf = (target: string) => (isSameSite(target, front) ? null : denied('other-host'))
  const answer = await askSite(deps, { url, kind: 'page', access, gapMs, refusalOf }, signal)
  if (answer.kind !== 'fetched' || answer.status !== 200) return
  const contentType = answer.headers['content-type'] ?? ''
  if (!/^\s*(text\/(plain|markdown|x-markdown)\b|$)/i.test(contentType)) return
  for (const address of linksOfLlmsText(decodeHtml(answer.body, contentType), answer.url)) {
    // Copies of the pages for machines, which are no pages.
    const isCopy = /\.(md|mdx|txt)$/i.test(new URL(address).pathname)
    if (isSameSite(address, front) && !isCopy && refusalOfLink(address, front) === null) {
      yield { kind: 'address', address, lastModified: null }
    }
  }
}
