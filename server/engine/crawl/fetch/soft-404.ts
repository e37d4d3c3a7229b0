import { createHash, randomBytes } from 'node:crypto'
import { crawlLimits } from '../../limits'
import type { Extractor } from '../../ports/extractor'
import type { FetchedBody, SiteAccess } from '../../ports/fetcher'
import { sniffContent } from './content/sniff-content'
import { denied, type PoliteFetchDeps, politeFetch } from './polite-fetch'
import { createSingleFlightCache, type Loaded } from './single-flight-cache'

/** Detects sites that respond 200 for pages that do not exist, by requesting a random URL. */
export interface Soft404Detector {
  /**
   * The text hash of the page that the URL's origin serves, with status 200, for a missing page; null where it answers
   * properly or cannot be asked. Requested once a day and origin. Rejects only when the signal aborts.
   */
  notFoundTextHash(url: string, visitor: Visitor): Promise<string | null>
}

interface Visitor {
  access: SiteAccess | null
  crawlDelayMs?: number
  signal?: AbortSignal
}

export interface Soft404Deps extends PoliteFetchDeps {
  extractor: Extractor
  now?: () => number
}

const maxCachedOrigins = 1000

export function createSoft404Detector({ now = Date.now, ...deps }: Soft404Deps): Soft404Detector {
  const cache = createSingleFlightCache<string | null>({ max: maxCachedOrigins, now })

  async function probe(origin: string, visitor: Visitor): Promise<Loaded<string | null>> {
    const { access, crawlDelayMs, signal } = visitor
    const url = `${origin}/no-such-page-${randomBytes(8).toString('hex')}`
    const denyRedirect = () => denied('redirected')
    const response = await politeFetch(deps, { url, kind: 'page', access, crawlDelayMs, denyRedirect }, signal)
    const isTransient =
      response.kind === 'denied' ? response.retryAfterMs !== null : response.status >= 500 || response.status === 429
    const value = response.kind === 'fetched' && response.status === 200 ? await textHash(url, response) : null
    return { value, ttlMs: isTransient ? crawlLimits.retryMs : crawlLimits.robots.cacheMs }
  }

  async function textHash(url: string, { headers, body }: FetchedBody): Promise<string | null> {
    const contentType = headers['content-type'] ?? ''
    if (body.length === 0 || sniffContent(contentType, body).kind !== 'page') return null
    const page = await deps.extractor.extract({ url, body, contentType, linkSite: null })
    // All pages without text have the same hash; they are refused as empty.
    return typeof page === 'string' || page.fragments.length === 0 ? null : page.textHash
  }

  return {
    notFoundTextHash(url, visitor) {
      const { origin } = new URL(url)
      return cache.get(cacheKey(origin, visitor.access), () => probe(origin, visitor), visitor.signal)
    },
  }
}

/** Visitors with credentials may see another page. */
function cacheKey(origin: string, access: SiteAccess | null): string {
  if (access?.origin !== origin) return origin
  return `${origin} ${createHash('sha256').update(JSON.stringify(access.headers)).digest('hex')}`
}
