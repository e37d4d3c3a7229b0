import PQueue from 'p-queue'

export interface Semaphore {
  /**
   * Waits for a permit, in the order of the calls. Resolves to the function that returns it. Rejects with the signal's
   * reason if it aborts before.
   */
  acquire(signal: AbortSignal): Promise<() => void>
}

export function createSemaphore(permits: number): Semaphore {
  const queue = new PQueue({ concurrency: permits })
  return {
    async acquire(signal) {
      // p-queue would also return the permit of a caller that is still cleaning up after its signal aborted.
      const waiting = new AbortController()
      const stopWaiting = () => waiting.abort(signal.reason)
      if (signal.aborted) stopWaiting()
      signal.addEventListener('abort', stopWaiting, { once: true })
      try {
        return await new Promise<() => void>((resolve, reject) => {
          const holdPermit = () => new Promise<void>((release) => resolve(release))
          queue.add(holdPermit, { signal: waiting.signal }).catch(reject)
        })
      } finally {
        signal.removeEventListener('abort', stopWaiting)
      }
    },
  }
}
