import { BurstyRateLimiter, type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export interface BurstRate {
  /** Distinguishes the keys of the limiter from those of others. */
  name: string
  /** Attempts in a row before the pace counts. */
  burst: number
  /** Seconds after which a burst is allowed again. */
  burstSeconds: number
  /** Seconds between attempts once the burst is used up. */
  everySeconds: number
}

/** Counts points by key, each for some seconds. */
export type PointStore = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterAbstract

/** Slows down frequent attempts by key, and never locks a key out. Counts in this process's memory by default. */
export function createBurstLimiter(
  { name, burst, burstSeconds, everySeconds }: BurstRate,
  store: PointStore = (options) => new RateLimiterMemory(options),
) {
  const steady = store({ keyPrefix: `${name} steady`, points: 1, duration: everySeconds })
  // The first attempt of a burst takes the point of the steady pace.
  const bursts = store({ keyPrefix: `${name} burst`, points: burst - 1, duration: burstSeconds })
  const limiter = new BurstyRateLimiter(steady, bursts)
  return {
    /** Counts an attempt. Null if it may be made, otherwise the seconds to wait. */
    async take(key: string): Promise<number | null> {
      try {
        await limiter.consume(key)
        return null
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return Math.ceil(refusal.msBeforeNext / 1000)
        throw refusal
      }
    },
    async forget(key: string): Promise<void> {
      await Promise.all([steady.delete(key), bursts.delete(key)])
    },
  }
}
