import { crawlLimits } from '../../limits'
import type { FetchedBody, FetchOutcome } from '../../ports/fetcher'
import type { HostRateLimiter } from './host-rate-limiter'

/**
 * Milliseconds that Retry-After asks for in a 429 or 503, given as seconds or as a date; at most an hour. Null without
 * the header.
 */
export function parseRetryAfter({ status, headers }: Pick<FetchedBody, 'status' | 'headers'>): number | null {
  const value = headers['retry-after']?.trim()
  if (!value || (status !== 429 && status !== 503)) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), crawlLimits.retryAfterMs)
}

/** Pauses the host for as long as it asks. Call it within the scheduled task, before the next request can start. */
export function pauseOnRetryAfter(rateLimiter: HostRateLimiter, url: string, outcome: FetchOutcome): void {
  const ms = outcome.kind === 'fetched' ? parseRetryAfter(outcome) : null
  if (ms !== null) rateLimiter.pause(url, ms)
}
