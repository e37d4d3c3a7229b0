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

    /** Admits an event and returns null, or refuses it and returns the milliseconds until one is admitted again. `limit` replaces `max`. */
    take(key: string, limit = max): number | null {
      const time = now()
      forgetIdle(time)
      const times = log.get(key) ?? []
      const inWindow = times.findIndex((admitted) => admitted > time - windowMs)
      times.splice(0, inWindow < 0 ? times.length : inWindow)
      const [oldest] = times
      if (oldest !== undefined && times.length >= limit) return oldest + windowMs - time
      times.push(time)
      log.delete(key)
      log.set(key, times)
      return null
    },

    /** Forgets the latest admitted event of the key, which then does not count. */
    refund(key: string): void {
      log.get(key)?.pop()
    },

    /** Admitted events of the key in the window, and the milliseconds until the first of them leaves it. */
    usage(key: string): { used: number; resetMs: number } {
      const time = now()
      const times = (log.get(key) ?? []).filter((admitted) => admitted > time - windowMs)
      return { used: times.length, resetMs: times[0] === undefined ? 0 : times[0] + windowMs - time }
    },
  }

  function forgetIdle(time: number): void {
    for (const [key, times] of log) {
      if ((times.at(-1) ?? 0) > time - windowMs) return
      log.delete(key)
    }
  }
}
