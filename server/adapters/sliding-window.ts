interface SlidingWindowOptions {
  /** Events of one key that are admitted within the window, unless `take` names another limit. */
  max: number
  windowMs: number
  /** Milliseconds on a clock that never goes back. */
  now?: () => number
}

/**
 * A sliding-window log: counts the admitted events of a key in the `windowMs` before each new one, so no interval of
 * that length ever has more than `max`. rate-limiter-flexible has fixed windows only, which admit twice as many around
 * the end of one. Holds a number for each admitted event until it leaves the window.
 */
export function createSlidingWindow({ max, windowMs, now = () => performance.now() }: SlidingWindowOptions) {
  /** Times of the admitted events, oldest first. The key that was admitted last is at the end. */
  const log = new Map<string, number[]>()

  return {
    max,

    /**
     * Admits an event, or refuses it and returns the milliseconds until one is admitted again. `limit` replaces `max`. With
     * the admitted events in the window, and the milliseconds until the first of them leaves it.
     */
    async take(key: string, limit = max): Promise<{ waitMs: number | null; used: number; resetMs: number }> {
      const time = now()
      forgetIdle(time)
      const times = log.get(key) ?? []
      const inWindow = times.findIndex((admitted) => admitted > time - windowMs)
      times.splice(0, inWindow < 0 ? times.length : inWindow)
      const [oldest] = times
      const resetMs = (oldest ?? time) + windowMs - time
      if (oldest !== undefined && times.length >= limit) return { waitMs: resetMs, used: times.length, resetMs }
      times.push(time)
      log.delete(key)
      log.set(key, times)
      return { waitMs: null, used: times.length, resetMs }
    },

    /** Forgets the latest admitted event of the key, which then does not count. */
    async refund(key: string): Promise<void> {
      log.get(key)?.pop()
    },
  }

  function forgetIdle(time: number): void {
    for (const [key, times] of log) {
      if ((times.at(-1) ?? 0) > time - windowMs) return
      log.delete(key)
    }
  }
}
