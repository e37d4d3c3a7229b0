import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { App } from '../../server/app'
import { followsLinks } from '../../server/engine/crawl/discover/discover'
import { fetchPage } from '../../server/engine/crawl/fetch/fetch-page'
import {
  type FetchedDocument,
  type FetchedPage,
  type PageOutcome,
  type RefusedPage,
  refused,
} from '../../server/engine/crawl/fetch/page-outcome'
import type { PageRequest } from '../../server/engine/crawl/fetch/page-request'
import { createPathPatterns } from '../../server/engine/crawl/urls/url-patterns'
import { extractorVersion } from '../../server/engine/ingest/extractor-version'
import { boilerplateOf } from '../../server/services/crawling/boilerplate/boilerplate'
import type { AddressRow, DiscoveredAddress, RunContext } from '../../server/services/crawling/runs/run-context'
import { readDownload, readFile } from './read-file'

/** So old a body is asked for in full again, in case a server says 'unchanged' without looking. */
const maxTrustMs = 30 * 24 * 3600 * 1000
const readersNow = new Set<string | null>(Object.values(extractorVersion))
/** What stood at an address is taken away when its owner says so, never because a server had a bad day. */
const withdraws = new Set<ReasonCode>(['noindex', 'expired', 'robots-disallowed', 'not-html', 'other-host'])
/** Links that are shown with their reason although they are not followed. */
const shown = new Set<ReasonCode>(['trap', 'too-deep'])

/** Visits one address of a run and stores what came of it. */
export async function readAddress(app: App, work: RunContext, address: AddressRow, signal: AbortSignal): Promise<void> {
  const { type, url, crawlDelayMs, includeSelectors, excludeSelectors } = work.source
  if (type === 'file') return readFile(app, work, address, signal)
  const isTrusted = trusts(address)
  const request = {
    url: address.url,
    etag: isTrusted ? address.etag : null,
    lastModified: isTrusted ? address.lastModified : null,
    followLinks: followsLinks(type),
    fallbackLanguage: address.language ?? '',
    site: type === 'url' ? null : url,
    followCanonical: type !== 'url',
    isKnown: (other: string) => app.crawls.isKnown(work, other),
    access: app.crawls.access(work),
    crawlDelayMs: crawlDelayMs ?? undefined,
    selectors: { include: includeSelectors, exclude: excludeSelectors },
    boilerplate: boilerplateOf(work.boilerplate, address.id),
  }
  const visit = await visitWhereItIs(app, work, request, address, signal)
  if (visit.kind === 'document') return readDownload(app, work, address, visit, signal)
  return store(app, work, address, visit)
}

/** Where the address that a page names leads nowhere, or back, the page is read where it is. */
async function visitWhereItIs(
  app: App,
  work: RunContext,
  request: PageRequest,
  address: AddressRow,
  signal: AbortSignal,
): Promise<PageOutcome> {
  const visit = await visitSafely(app, request, signal)
  const named = namedBy(visit, address)
  if (named === null || (await app.crawls.canFollowCanonical(work, request.url, named))) return visit
  return visitSafely(app, { ...request, etag: null, lastModified: null, followCanonical: false }, signal)
}

/** The address that the page names as its proper one; what did not change names the one that it named before. */
function namedBy(visit: PageOutcome, address: AddressRow): string | null {
  if (visit.kind === 'unchanged') return address.textHash === null ? address.canonicalUrl : null
  return visit.kind === 'moved' && visit.reason === 'canonical' ? visit.to : null
}

/** One address that we fail at does not take the others with it; a failure of this machine says nothing of the page. */
async function visitSafely(app: App, request: PageRequest, signal: AbortSignal): Promise<PageOutcome> {
  try {
    const visit = await fetchPage({ ...app.engine, downloads: app.downloads }, request, signal)
    if (signal.aborted && visit.kind === 'document') await visit.download?.remove()
    // What came of a visit that was cut off says nothing about the page.
    signal.throwIfAborted()
    return visit
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && 'syscall' in error) throw error
    app.log.error({ err: error, address: request.url }, 'A page could not be read.')
    return refused('extraction-failed')
  }
}

/**
 * Whether the server may answer 'unchanged': not where the sitemap says otherwise, not for ever, and not for what is read
 * in another way by now.
 */
function trusts({ fetchedAt, crawledAt, sitemapModified, unavailableAfter, extractorVersion }: AddressRow): boolean {
  if (!readersNow.has(extractorVersion)) return false
  if (!fetchedAt || !crawledAt || Date.now() - fetchedAt.getTime() > maxTrustMs) return false
  if (unavailableAfter && unavailableAfter.getTime() < Date.now()) return false
  const modified = Date.parse(sitemapModified ?? '')
  return !(modified > crawledAt.getTime())
}

async function store(
  app: App,
  work: RunContext,
  address: AddressRow,
  visit: Exclude<PageOutcome, FetchedDocument>,
): Promise<void> {
  const { crawls } = app
  const found = (urls: string[], languages?: Map<string, string>): DiscoveredAddress[] =>
    urls.map((url) => ({
      url,
      depth: address.depth + 1,
      discoveredFrom: address.url,
      language: languages?.get(url) ?? null,
    }))
  switch (visit.kind) {
    case 'gone':
      return crawls.storeRefusal(work, address, missing(address, visit))
    case 'refused': {
      const { retryAfterMs } = visit
      if (retryAfterMs !== null) return retry(app, work, address, visit, retryAfterMs)
      const links = [...found(visit.links), ...outside(address, visit.excludedLinks)]
      const unasked = visit.reason === 'robots-disallowed'
      const refusal = { ...visit, unasked, withdraw: withdraws.has(visit.reason) }
      return crawls.storeRefusal(work, address, refusal, links)
    }
    case 'moved': {
      // Where it leads is as far from the start as the address itself.
      const target =
        visit.to === null ? [] : [{ url: visit.to, depth: address.depth, discoveredFrom: address.url, isTarget: true }]
      return crawls.storeElsewhere(work, address, { ...visit, address: visit.to }, [...target, ...found(visit.links)])
    }
    case 'unchanged':
      return crawls.storeUnchanged(work, address)
    default: {
      const links = [...found(visit.links, visit.languages), ...outside(address, visit.excludedLinks)]
      if (!isForLinksOnly(work, address)) return crawls.storePage(work, address, pageOf(visit), links)
      const out = { reason: 'excluded' as const, address: null, httpStatus: visit.httpStatus }
      return crawls.storeElsewhere(work, address, out, links)
    }
  }
}

/** A site that asks to be left alone is not asked: the address waits without an attempt. */
function retry(
  app: App,
  work: RunContext,
  address: AddressRow,
  visit: RefusedPage,
  retryAfterMs: number,
): Promise<void> {
  if (visit.reason === 'rate-limited' && visit.httpStatus === null) return app.crawls.putBack(address, retryAfterMs)
  const wait = app.engine.retryDelaysMs[address.attempts]
  const named = visit.reason === 'rate-limited' || visit.httpStatus === 503 ? retryAfterMs : 0
  if (wait !== undefined) return app.crawls.storeRetry(address, visit, Math.max(wait, named))
  return app.crawls.storeRefusal(work, address, { ...visit, withdraw: false })
}

/** The front page of a domain, which its patterns leave out. */
function isForLinksOnly({ source }: RunContext, { url }: AddressRow): boolean {
  return source.type === 'domain' && url === source.url && !createPathPatterns(source).admits(url)
}

/** A page that was read is missing for good at the second look; 410 is meant for good at once. */
function missing(address: AddressRow, visit: Extract<PageOutcome, { kind: 'gone' }>) {
  const looks = address.notFoundCount + 1
  const isCertain = visit.reason === 'gone' || looks > 1 || address.fragments === 0
  if (isCertain) return { ...visit, withdraw: true, notFoundCount: looks }
  return {
    ...visit,
    reason: 'missing-once' as const,
    message: reasonText('missing-once'),
    withdraw: false,
    notFoundCount: looks,
  }
}

function outside(address: AddressRow, excluded: { url: string; reason: ReasonCode }[]): DiscoveredAddress[] {
  return excluded
    .filter(({ reason }) => shown.has(reason))
    .map(({ url, reason }) => ({
      url,
      depth: address.depth + 1,
      discoveredFrom: address.url,
      exclusion: reason,
    }))
}

function pageOf(visit: FetchedPage) {
  const { document } = visit
  return {
    httpStatus: visit.httpStatus,
    contentType: visit.contentType,
    bytes: visit.bytes,
    etag: visit.etag,
    lastModified: visit.lastModified,
    language: document.language,
    title: document.title,
    description: document.description,
    textHash: visit.textHash,
    note: document.textFrom === 'data' ? ('read-from-data' as const) : null,
    unavailableAfter: dateOf(visit.unavailableAfter),
    publishedAt: dateOf(document.publishedAt),
    modifiedAt: dateOf(document.modifiedAt),
    fragments: visit.fragments,
    kept: visit.pageBlocks,
  }
}

function dateOf(time: number | null): Date | null {
  return time === null ? null : new Date(time)
}
