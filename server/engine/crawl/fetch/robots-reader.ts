import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import { crawlLimits } from '../../limits'
import type { Fetcher, FetchOutcome } from '../../ports/fetcher'
import { allowAll, decodeRobots, parseRobots, type RobotsRules } from '../formats/robots'
import { HostBusy, type HostRateLimiter, type ScheduleOptions } from './host-rate-limiter'
import { pauseOnRetryAfter } from './retry-after'
import { createSingleFlightCache, type Loaded } from './single-flight-cache'

/** `retryAfterMs`: milliseconds after which another attempt may succeed; null where it would not. */
export type RobotsResult =
  | { kind: 'rules'; rules: RobotsRules }
  | { kind: 'unavailable'; reason: ReasonCode; message: string; retryAfterMs: number | null }

export interface RobotsReader {
  /**
   * The rules of the URL's origin, read once a day, or why the origin may not be crawled now. A request for them waits
   * for its turn at the host, but not for a long pause. Rejects only when the signal aborts.
   */
  rulesFor(url: string, schedule?: Pick<ScheduleOptions, 'signal' | 'crawlDelayMs'>): Promise<RobotsResult>
}

export interface RobotsReaderDeps {
  fetcher: Fetcher
  rateLimiter: HostRateLimiter
  /** Product token that robots.txt files name, without version. */
  agent: string
  now?: () => number
}

const maxCachedOrigins = 1000

/** Reads robots.txt files, caches their rules and passes their Crawl-delay to the rate limiter. */
export function createRobotsReader({ fetcher, rateLimiter, agent, now = Date.now }: RobotsReaderDeps): RobotsReader {
  const cache = createSingleFlightCache<RobotsResult>({ max: maxCachedOrigins, now })

  async function read(url: string, schedule: ScheduleOptions): Promise<Loaded<RobotsResult>> {
    try {
      const outcome = await follow(url, { ...schedule, maxWaitMs: crawlLimits.maxHostWaitMs })
      const value = resultOf(outcome, url, agent)
      const { cacheMs, failureCacheMs } = crawlLimits.robots
      return { value, ttlMs: value.kind === 'rules' ? cacheMs : failureCacheMs }
    } catch (error) {
      if (error instanceof HostBusy) return { value: unavailable('rate-limited', error.waitMs), ttlMs: 0 }
      throw error
    }
  }

  /** Each redirect is a request of its own, with a turn at its own host. */
  async function follow(robotsUrl: string, schedule: ScheduleOptions): Promise<FetchOutcome> {
    const requested = new Set<string>()
    let url = robotsUrl
    while (requested.size <= crawlLimits.redirects && !requested.has(url)) {
      requested.add(url)
      const { outcome, target } = await fetchOnce(url, schedule)
      if (target === null) return outcome
      url = target
    }
    const reason = 'too-many-redirects'
    return { kind: 'refused', reason, message: reasonText(reason) }
  }

  async function fetchOnce(
    url: string,
    schedule: ScheduleOptions,
  ): Promise<{ outcome: FetchOutcome; target: string | null }> {
    const redirect: { target: string | null } = { target: null }
    async function mayFollow(target: string): Promise<boolean> {
      redirect.target = target.split('#', 1)[0] ?? target
      return false
    }
    async function fetch(): Promise<FetchOutcome> {
      const outcome = await fetcher.fetch({ url, kind: 'robots', mayFollow }, schedule.signal)
      pauseOnRetryAfter(rateLimiter, url, outcome)
      return outcome
    }
    return { outcome: await rateLimiter.schedule(url, fetch, schedule), target: redirect.target }
  }

  return {
    async rulesFor(url, schedule = {}) {
      const { origin } = new URL(url)
      const result = await cache.get(origin, () => read(`${origin}/robots.txt`, schedule), schedule.signal)
      // Each time, because the rate limiter may have forgotten the host.
      if (result.kind === 'rules') rateLimiter.setCrawlDelay(origin, result.rules.crawlDelayMs ?? 0)
      return result
    },
  }
}

/** RFC 9309, 2.3.1: a file that does not exist allows everything, one that cannot be reached allows nothing. */
function resultOf(outcome: FetchOutcome, url: string, agent: string): RobotsResult {
  if (outcome.kind === 'fetched') {
    const { status, body } = outcome
    if (status >= 200 && status < 300) {
      return { kind: 'rules', rules: parseRobots(decodeRobots(body), agent, url) }
    }
    return status >= 500 || status === 429
      ? unavailable('robots-unavailable', crawlLimits.retryMs)
      : { kind: 'rules', rules: allowAll }
  }
  if (outcome.kind === 'unchanged') return { kind: 'rules', rules: allowAll }
  const { reason, message } = outcome
  switch (reason) {
    case 'too-many-redirects':
    case 'invalid-address':
      return { kind: 'rules', rules: allowAll }
    case 'connection-failed':
    case 'timeout':
      return { kind: 'unavailable', reason, message, retryAfterMs: crawlLimits.retryMs }
    case 'private-address':
    case 'forbidden-address':
    case 'unresolved':
      return { kind: 'unavailable', reason, message, retryAfterMs: null }
    default:
      return unavailable('robots-unavailable', null)
  }
}

function unavailable(reason: ReasonCode, retryAfterMs: number | null): RobotsResult {
  return { kind: 'unavailable', reason, message: reasonText(reason), retryAfterMs }
}
