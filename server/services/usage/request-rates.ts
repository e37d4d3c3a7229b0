import { AppError, type RateState } from '../../errors'

/** Limits requests by key within a sliding window of a minute. */
export interface RateWindow {
  /** Counts a request. Returns null, or the milliseconds to wait if the request exceeds the limit. */
  take(key: string, limit?: number): number | null
  /** Forgets the latest counted request of the key. */
  refund(key: string): void
  /** Requests of the key in the window, and the milliseconds until the first of them leaves it. */
  usage(key: string): { used: number; resetMs: number }
}

/** Counts a request, and returns what is left. Throws rate_limited with `message` of the time to wait. */
export function takeRate(
  rate: RateWindow,
  { name, key, limit }: { name: RateState['name']; key: string; limit: number },
  message: (wait: string) => string,
): RateState {
  const waitMs = rate.take(key, limit)
  const { used, resetMs } = rate.usage(key)
  const state = { name, limit, remaining: Math.max(0, limit - used), resetSeconds: Math.ceil(resetMs / 1000) }
  if (waitMs === null) return state
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
  throw new AppError('rate_limited', message(wait), { details: { retryAfterSeconds, rate: state } })
}
