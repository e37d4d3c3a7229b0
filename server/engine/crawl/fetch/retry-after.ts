import { crawlLimits } from '../../limits'
import type { FetchedBody, FetchOutcome } from '../../ports'
import type { Pace } from './host-rate-limiter'

/**
 * How long a busy server (429, 503) asks to be left alone, in milliseconds from now, at most an hour: seconds or a date.
 * Null when it does not say.
 */
export function retryAfterOf({ status, headers }: Pick<FetchedBody, 'status' | 'headers'>): number | null {
  const value = headers['retry-after']?.trim()
  if (!value || (status !== 429 && status !== 503)) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), crawlLimits.retryAfterMs)
}

/** Leaves the site alone for as long as it asks for. To be called within the turn, so that nobody slips in. */
export function pauseIfBusy(pace: Pace, address: string, outcome: FetchOutcome): void {
  const wait = outcome.kind === 'fetched' ? retryAfterOf(outcome) : null
  if (wait !== null) pace.pause(address, wait)
}
