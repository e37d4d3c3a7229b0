import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../server/app'

export interface Feeding {
  /** Resolves when the delivery under way has ended. */
  stop(): Promise<void>
}

const pollMs = 250
const minRetryMs = 1_000
const maxRetryMs = 30_000

/** Writes changed fragments to a search index on a server of its own, as long as the process runs. */
export function startFeeding({ services: { feedSearch }, log }: Pick<App, 'services' | 'log'>): Feeding {
  const stopping = new AbortController()
  let retryMs = minRetryMs
  const loop = feedSearch.feed ? run() : Promise.resolve()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await deliver()
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Returns how long to wait before the next delivery. */
  async function deliver(): Promise<number> {
    try {
      const delivered = await feedSearch.deliverNext()
      retryMs = minRetryMs
      return delivered > 0 ? 0 : pollMs
    } catch (error) {
      log.warn({ err: error, retryMs }, 'The search index takes no documents at the moment; they wait.')
      const waitMs = retryMs
      retryMs = Math.min(maxRetryMs, 2 * retryMs)
      return waitMs
    }
  }

  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
