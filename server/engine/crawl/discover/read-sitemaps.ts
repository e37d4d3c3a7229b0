import { setTimeout as sleep } from 'node:timers/promises'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { SiteAccess } from '../../ports/fetcher'
import { type PoliteFetchDeps, type PoliteRequest, politeFetch } from '../fetch/polite-fetch'
import { parseRetryAfter } from '../fetch/retry-after'
import { createSitemapReader } from '../formats/sitemap'
import type { SitemapFile } from '../formats/sitemap-entries'
import { isSameSite, normalizeAddress, shapeExclusion } from '../urls/urls'
import type { Discovered } from './discovered'

export interface SitemapDeps extends PoliteFetchDeps {
  /** See `crawlLimits`. */
  retryDelaysMs: readonly number[]
}

export interface SitemapRequest {
  /** Any URL of the site whose pages are read. */
  site: string
  files: string[]
  /** Files that robots.txt does not block, because it names them. */
  exempt: ReadonlySet<string>
  access?: SiteAccess | null
  crawlDelayMs?: number
}

/**
 * Reads sitemaps and the sitemaps of their indexes, up to three levels and 500 files, and yields the URLs of the site in
 * order, repetitions included. Reports what the limits cut off as a problem. Rejects only when `signal` aborts.
 */
export async function* readSitemaps(
  deps: SitemapDeps,
  request: SitemapRequest,
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const { site } = request
  const queue = request.files.slice(0, crawlLimits.sitemap.files).map((url) => ({ url, depth: 1 }))
  const listed = new Set(queue.map(({ url }) => url))
  let isAnyRead = false
  let isTruncated = request.files.length > queue.length
  let isTooNested = false
  let ownCount = 0
  let foreign: { file: string; host: string } | null = null
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { url: file, depth } = next
    const read = await readFile(deps, request, file, signal)
    if (read.kind === 'refused') {
      yield problem(file, read.reason, read.message)
      continue
    }
    isAnyRead = true
    if (read.broken) yield problem(file, 'sitemap-broken')
    if (read.truncated) yield problem(file, 'over-limit', truncationText.file)
    for (const entry of read.entries) {
      const url = normalizeAddress(entry.address, read.url)
      if (url === null) continue
      if (read.kind === 'index') {
        const child = fileUrl(entry.address, read.url)
        const isFollowed = isSameSite(child, site) || isSameSite(child, read.url)
        if (!isFollowed || listed.has(child)) continue
        isTooNested ||= depth > indexDepth
        isTruncated ||= listed.size >= files
        if (depth > indexDepth || isTruncated) break
        listed.add(child)
        queue.push({ url: child, depth: depth + 1 })
        continue
      }
      const host = isSameSite(url, site) ? null : new URL(url).host
      const reason = host === null ? shapeExclusion(url) : 'other-host'
      if (reason) yield { kind: 'excluded', url, reason, message: reasonText(reason, host ? { host } : {}) }
      else yield { kind: 'address', url, lastModified: entry.lastModified, language: entry.language }
      if (host) foreign ??= { file, host }
      else ownCount++
    }
  }
  const first = request.files[0] ?? site
  if (isTruncated) yield problem(first, 'over-limit', truncationText.files)
  if (isTooNested) yield problem(first, 'over-limit', truncationText.levels)
  if (foreign && ownCount > 0)
    yield problem(foreign.file, 'other-host', reasonText('other-host', { host: foreign.host }))
  if (ownCount === 0 && isAnyRead && !isTruncated && !isTooNested) yield problem(first, 'sitemap-empty')
}

const { addresses, files, indexDepth } = crawlLimits.sitemap

const truncationText = {
  file: `The sitemap lists more than ${addresses.toLocaleString('en')} addresses; the rest was skipped. Split it.`,
  files: `The sitemaps are more than ${files} files; the rest was skipped.`,
  levels: `The sitemap indexes are nested more than ${indexDepth} levels deep; deeper ones were skipped.`,
}

/** Resolves the URL of a sitemap without normalizing it: every parameter may matter. */
function fileUrl(address: string, base: string): string {
  const url = new URL(address.trim(), base)
  url.hash = ''
  return url.href
}

type ReadFile =
  /** `url`: after redirects. */
  | (Exclude<SitemapFile, { kind: 'refused' }> & { url: string })
  | { kind: 'refused'; reason: ReasonCode; message?: string }

async function readFile(
  deps: SitemapDeps,
  { access, crawlDelayMs, exempt }: SitemapRequest,
  url: string,
  signal?: AbortSignal,
): Promise<ReadFile> {
  const { response, file } = await fetchWithRetries(
    deps,
    { url, kind: 'sitemap', access, crawlDelayMs, exempt },
    signal,
  )
  if (response.kind === 'denied') return { kind: 'refused', reason: response.reason, message: response.message }
  if (response.kind === 'unchanged') return { kind: 'addresses', entries: [], broken: false, truncated: false, url }
  const { status } = response
  if (status >= 200 && status < 300) {
    return file.kind === 'refused' ? file : { ...file, url: response.url }
  }
  const reason = reasonOf(status)
  return { kind: 'refused', reason, message: reasonText(reason, { status }) }
}

async function fetchWithRetries(deps: SitemapDeps, request: PoliteRequest, signal?: AbortSignal) {
  for (const delayMs of deps.retryDelaysMs) {
    const fetched = await fetchFile(deps, request, signal)
    const retryAfterMs = retryDelayOf(fetched.response)
    if (retryAfterMs === null || retryAfterMs > crawlLimits.maxHostWaitMs) return fetched
    await sleep(Math.max(delayMs, retryAfterMs), undefined, signal ? { signal } : {})
  }
  return fetchFile(deps, request, signal)
}

/** Parses the file as it arrives; the entries of a request that fails do not count. */
async function fetchFile(deps: PoliteFetchDeps, request: PoliteRequest, signal?: AbortSignal) {
  const reader = createSitemapReader()
  try {
    const response = await politeFetch(deps, { ...request, onChunk: reader.write }, signal)
    return { response, file: await reader.end() }
  } catch (error) {
    await reader.end()
    throw error
  }
}

/** Milliseconds that the server asks to wait, 0 where it names none; null where a retry would not help. */
function retryDelayOf(response: Awaited<ReturnType<typeof politeFetch>>): number | null {
  if (response.kind === 'denied') return response.reason === 'rate-limited' || response.retryAfterMs === null ? null : 0
  if (response.kind === 'unchanged') return null
  const isTransient = response.status >= 500 || response.status === 429 || response.status === 408
  return isTransient ? (parseRetryAfter(response) ?? 0) : null
}

function reasonOf(status: number): ReasonCode {
  if (status === 404) return 'not-found'
  if (status === 410) return 'gone'
  if (status === 429) return 'rate-limited'
  if (status === 401 || status === 403) return 'access-denied'
  return status >= 500 ? 'http-server-error' : 'http-client-error'
}

function problem(url: string, reason: ReasonCode, message = reasonText(reason)): Discovered {
  return { kind: 'problem', url, reason, message }
}
