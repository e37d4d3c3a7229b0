import { type ReasonCode, type ReasonDetails, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { Fetcher, FetchKind, FetchOutcome, FetchRequest, SiteAccess } from '../../ports/fetcher'
import { normalizeAddress } from '../urls/urls'
import { HostBusy, type HostRateLimiter, type ScheduleOptions } from './host-rate-limiter'
import { pauseOnRetryAfter } from './retry-after'
import type { RobotsReader } from './robots-reader'

export interface PoliteFetchDeps {
  fetcher: Fetcher
  robots: RobotsReader
  rateLimiter: HostRateLimiter
}

export interface PoliteRequest {
  /** Normalized. */
  url: string
  kind: FetchKind
  etag?: string | null
  lastModified?: string | null
  access?: SiteAccess | null
  crawlDelayMs?: number
  /** Why a redirect to `target` is not followed, or null. Asked before the robots.txt of the target. */
  denyRedirect?(target: string): Denial | null
  /** A redirect to a known target is not followed; the outcome is 'unchanged'. */
  isKnown?(target: string): Promise<boolean>
  /** URLs that robots.txt does not block: the sitemaps that it names. */
  exempt?: ReadonlySet<string>
  onChunk?: FetchRequest['onChunk']
}

/** The URL was not read. */
export interface Denial {
  kind: 'denied'
  reason: ReasonCode
  message: string
  /** Milliseconds after which another attempt may succeed; null where it would not. */
  retryAfterMs: number | null
}

/** `redirectStatus`: of the first redirect; null without one. */
type PoliteResponse = Exclude<FetchOutcome, { kind: 'refused' }> & { redirectStatus: number | null }

/**
 * Requests a URL and follows up to five redirects. Every request, redirects included, needs the permission of the
 * host's robots.txt and a turn at the host. A host that sends Retry-After is paused. Rejects only when `signal` aborts.
 */
export async function politeFetch(
  deps: PoliteFetchDeps,
  request: PoliteRequest,
  signal?: AbortSignal,
): Promise<PoliteResponse | Denial> {
  const { crawlDelayMs, denyRedirect, isKnown, exempt } = request
  const schedule = { signal, crawlDelayMs, maxWaitMs: crawlLimits.maxHostWaitMs }
  // With another cookie, a page that redirects to itself may answer.
  const visitOf = (address: string) => `${address} ${request.access?.cookies?.headerFor(address) ?? ''}`
  const requested = new Set<string>()
  let url = request.url
  let redirectStatus: number | null = null
  try {
    while (requested.size <= crawlLimits.redirects) {
      requested.add(visitOf(url))
      const blocked = exempt?.has(url) ? null : await checkRobots(deps, url, schedule)
      if (blocked) return blocked
      const { outcome, redirect } = await fetchOnce(deps, request, url, schedule)
      if (redirect === null) return outcome.kind === 'refused' ? denialOf(outcome) : { ...outcome, redirectStatus }
      const [target = ''] = redirect.target.split('#', 1)
      redirectStatus ??= redirect.status
      if (requested.has(visitOf(target))) return denied('too-many-redirects', 'The address redirects in a loop.')
      const denial = denyRedirect?.(target)
      if (denial) return denial
      if (await isKnown?.(target)) {
        return { kind: 'unchanged', url: target, status: 304, headers: {}, tookMs: 0, redirectStatus }
      }
      url = target
    }
    return denied('too-many-redirects')
  } catch (error) {
    if (error instanceof HostBusy) return { ...denied('rate-limited'), retryAfterMs: error.waitMs }
    throw error
  }
}

/** Why robots.txt does not allow a URL, or null. Rejects only when `signal` aborts. */
export async function checkRobots(
  { robots }: Pick<PoliteFetchDeps, 'robots'>,
  url: string,
  schedule: Pick<ScheduleOptions, 'crawlDelayMs' | 'signal'>,
): Promise<Denial | null> {
  const result = await robots.rulesFor(url, schedule)
  if (result.kind === 'unavailable') return { ...result, kind: 'denied' }
  return result.rules.isAllowed(url) ? null : denied('robots-disallowed')
}

interface Redirect {
  target: string
  status: number
}

/** One request. A redirect is reported, not followed: the next request needs a turn of its own. */
async function fetchOnce(
  { fetcher, rateLimiter }: PoliteFetchDeps,
  { url: requestedUrl, kind, etag, lastModified, access, onChunk }: PoliteRequest,
  url: string,
  schedule: ScheduleOptions,
): Promise<{ outcome: FetchOutcome; redirect: Redirect | null }> {
  // Validators belong to the page, however its URL is written, and not to the target of a redirect.
  const isSame = url === requestedUrl || normalizeAddress(url) === requestedUrl
  const found: { redirect: Redirect | null } = { redirect: null }
  const request = {
    url,
    kind,
    ...(isSame && etag ? { etag } : {}),
    ...(isSame && lastModified ? { lastModified } : {}),
    ...(access ? { access } : {}),
    ...(onChunk ? { onChunk } : {}),
    async mayFollow(target: string, status: number) {
      found.redirect = { target, status }
      return false
    },
  }
  async function fetch(): Promise<FetchOutcome> {
    const outcome = await fetcher.fetch(request, schedule.signal)
    pauseOnRetryAfter(rateLimiter, url, outcome)
    return outcome
  }
  return { outcome: await rateLimiter.schedule(url, fetch, schedule), redirect: found.redirect }
}

function denialOf({ reason, message }: Extract<FetchOutcome, { kind: 'refused' }>): Denial {
  const isTransient = reason === 'connection-failed' || reason === 'timeout'
  const known = reason === 'not-allowed' ? 'robots-disallowed' : reason
  return { kind: 'denied', reason: known, message, retryAfterMs: isTransient ? crawlLimits.retryMs : null }
}

/** `details` as text replaces the reason's own sentence. */
export function denied(reason: ReasonCode, details: ReasonDetails | string = {}): Denial {
  const message = typeof details === 'string' ? details : reasonText(reason, details)
  return { kind: 'denied', reason, message, retryAfterMs: null }
}
