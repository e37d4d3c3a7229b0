import { AppError, type RateState } from '../../errors'

/** Limits requests by key within a sliding window of a minute. */
export interface RateWindow {
  /**
   * Counts a request, unless it exceeds the limit: then `waitMs` is the time to wait. With the requests of the key in the
   * window, and the milliseconds until the first of them leaves it.
   */
  take(key: string, limit?: number): Promise<{ waitMs: number | null; used: number; resetMs: number }>
  /** Forgets the latest counted request of the key. Never rejects. */
  refund(key: string): Promise<void>
}

/** Counts a request, and returns what is left. Throws rate_limited with `message` of the time to wait. */
export async function takeRate(
  rate: RateWindow,
  { name, key, limit }: { name: RateState['name']; key: string; limit: number },
  message: (wait: string) => string,
): Promise<RateState> {
  const { waitMs, used, resetMs } = await rate.take(key, limit)
  const state = { name, limit, remaining: Math.max(0, limit - used), resetSeconds: Math.ceil(resetMs / 1000) }
  if (waitMs === null) return state
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
  throw new AppError('rate_limited', message(wait), { details: { retryAfterSeconds, rate: state } })
}
