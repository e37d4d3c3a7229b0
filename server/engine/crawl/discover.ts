import { type ReasonCode, reasonText } from '../../../contract/reasons'
import { crawlLimits } from '../limits'
import type { Fetcher } from '../ports'
import type { Pace } from './pace'
import type { RobotsReader } from './robots-reader'
import { parseSitemap } from './sitemap'
import { domainAddress, isSameSite, normalizeAddress, refusalOfShape } from './urls'

export type CrawlType = 'url' | 'sitemap' | 'domain'

/** `problem`: what a person should know although the crawl goes on. */
export type Discovered =
  | { kind: 'address'; address: string; lastModified: string | null }
  | { kind: 'problem'; address: string; reason: ReasonCode; message: string }

export interface DiscoverDeps {
  fetcher: Fetcher
  pace: Pace
  robots: RobotsReader
}

/** Only a domain is read by its links; a URL is one page, a sitemap says itself what belongs to it. */
export function followsLinks(type: CrawlType): boolean {
  return type === 'domain'
}

/**
 * The addresses that a crawl starts with, normalized, each once: of a URL itself, of a sitemap all that it lists for its
 * own site, of a domain its front page and what its sitemaps list. Rejects only when `signal` aborts.
 */
export async function* discover(
  deps: DiscoverDeps,
  source: { type: CrawlType; url: string },
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const start = source.type === 'domain' ? domainAddress(source.url) : normalizeAddress(source.url)
  if (start === null) {
    yield problem(source.url, 'invalid-address')
    return
  }
  if (source.type === 'url') yield { kind: 'address', address: start, lastModified: null }
  if (source.type === 'sitemap') yield* readSitemaps(deps, start, [start], signal)
  if (source.type === 'domain') yield* ofDomain(deps, start, signal)
}

async function* ofDomain(deps: DiscoverDeps, front: string, signal?: AbortSignal): AsyncGenerator<Discovered> {
  yield { kind: 'address', address: front, lastModified: null }
  const robots = await deps.robots.rulesFor(front, signal)
  // The visit of the front page tells what is wrong with the site.
  if (robots.kind === 'unavailable') return
  const { sitemaps } = robots.rules
  const guessed = sitemaps.length === 0
  const files = guessed ? [new URL('/sitemap.xml', front).href] : sitemaps
  for await (const found of readSitemaps(deps, front, files, signal)) {
    // Nobody promised a sitemap in the usual place; a front page is listed once.
    if (found.kind === 'problem' && guessed) continue
    if (found.address !== front) yield found
  }
}

/** Reads sitemaps and those that they list, to depth 3, and takes the addresses of `site`. */
async function* readSitemaps(
  deps: DiscoverDeps,
  site: string,
  files: string[],
  signal?: AbortSignal,
): AsyncGenerator<Discovered> {
  const line = files.map((address) => ({ address, depth: 1 }))
  const readFiles = new Set<string>()
  const seen = new Set<string>()
  let foreign = 0
  let unread = 0
  for (let next = line.shift(); next; next = line.shift()) {
    const { address, depth } = next
    if (readFiles.has(address) || readFiles.size >= crawlLimits.sitemap.files) continue
    readFiles.add(address)
    const file = await readFile(deps, address, signal)
    if (file.kind === 'refused') {
      unread++
      yield problem(address, file.reason, file.message)
      continue
    }
    if (file.broken) yield problem(address, 'sitemap-broken')
    for (const entry of file.entries) {
      const found = normalizeAddress(entry.address, address)
      if (found === null) continue
      const isOurs = isSameSite(found, site)
      if (file.kind === 'index') {
        if (depth < crawlLimits.sitemap.indexDepth && (isOurs || isSameSite(found, address))) {
          line.push({ address: found, depth: depth + 1 })
        }
      } else if (!isOurs) foreign++
      else if (!seen.has(found) && refusalOfShape(found) === null) {
        seen.add(found)
        yield { kind: 'address', address: found, lastModified: entry.lastModified }
      }
    }
  }
  if (foreign > 0 && seen.size > 0) yield problem(site, 'other-host')
  if (seen.size === 0 && unread < readFiles.size) yield problem(site, 'sitemap-empty')
}

type ReadFile =
  | Exclude<Awaited<ReturnType<typeof parseSitemap>>, { kind: 'refused' }>
  | { kind: 'refused'; reason: ReasonCode; message?: string }

async function readFile({ fetcher, pace }: DiscoverDeps, url: string, signal?: AbortSignal): Promise<ReadFile> {
  const outcome = await pace.run(url, () => fetcher.fetch({ url, kind: 'sitemap' }, signal), signal)
  if (outcome.kind === 'refused') return outcome
  if (outcome.kind === 'unchanged') return { kind: 'addresses', entries: [], broken: false }
  const { status } = outcome
  if (status >= 200 && status < 300) return parseSitemap(outcome.body)
  const reason = status === 404 ? 'not-found' : status >= 500 ? 'http-server-error' : 'http-client-error'
  return { kind: 'refused', reason, message: reasonText(reason, { status }) }
}

function problem(address: string, reason: ReasonCode, message = reasonText(reason)): Discovered {
  return { kind: 'problem', address, reason, message }
}
