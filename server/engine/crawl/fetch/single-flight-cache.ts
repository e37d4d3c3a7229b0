import { LRUCache } from 'lru-cache'

export interface Loaded<Value> {
  value: Value
  /** 0 if the value is not to be cached. */
  ttlMs: number
}

type Load<Value> = () => Promise<Loaded<Value>>

/** A cache that loads each missing value once, however many callers wait for it. */
export interface SingleFlightCache<Value> {
  /**
   * The value of a key, from `load` if it is missing or expired. If another caller's load fails, this caller loads the
   * value itself. Rejects with the signal's reason if it aborts while another caller loads the value.
   */
  get(key: string, load: Load<Value>, signal?: AbortSignal): Promise<Value>
}

/** Holds at most `max` values. `now` in milliseconds. */
export function createSingleFlightCache<Value>({
  max,
  now,
}: {
  max: number
  now: () => number
}): SingleFlightCache<Value> {
  const cache = new LRUCache<string, Loaded<Value>, Load<Value>>({
    max,
    ttl: 1,
    ttlResolution: 0,
    // The library treats a start time of 0 as unset.
    perf: { now: () => now() + 1 },
    // A value that is evicted while it loads still reaches its callers.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _expired, { options, context: load }) {
      const loaded = await load()
      // The library still returns a value in the millisecond in which it expires.
      options.ttl = Math.max(loaded.ttlMs - 1, 1)
      return loaded
    },
  })

  return {
    async get(key, load, signal) {
      for (;;) {
        let isLoading = false
        const loaded = cache.fetch(key, {
          context: () => {
            isLoading = true
            return load()
          },
        })
        if (isLoading) {
          const { value, ttlMs } = present(await loaded)
          if (ttlMs <= 0) cache.delete(key)
          return value
        }
        try {
          return present(await orAborted(loaded, signal)).value
        } catch {
          signal?.throwIfAborted()
        }
      }
    },
  }
}

function present<Value>(loaded: Loaded<Value> | undefined): Loaded<Value> {
  if (!loaded) throw new Error('The cache lost a value that it loaded.')
  return loaded
}

function orAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
