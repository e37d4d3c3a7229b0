import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Counts attempts by key in this process's memory: at most `points` in `seconds` from the first one. */
export function createAttemptCounter({ points, seconds }: { points: number; seconds: number }) {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  return {
    /** Counts one. Null while it is within the limit, otherwise the seconds to wait. */
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
      await limiter.delete(key)
    },
  }
}
