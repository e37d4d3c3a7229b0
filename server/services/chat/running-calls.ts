import { createHash } from 'node:crypto'
import type { Signals } from '../../engine/ports/signals'

/** Calls of tools under way. A client cancels one with a request of its own, which may reach another process. */
export function createRunningCalls({ signals }: { signals: Signals }) {
  const running = new Map<string, AbortController>()
  signals.on('cancel', (id) => running.get(id)?.abort())

  return {
    /** Does `work`; its signal aborts if `cancel` is called with the same key meanwhile, or the signal of the request aborts. */
    async cancellable<Result>(
      key: string | null,
      request: AbortSignal,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      if (key === null) return work(request)
      const id = idOf(key)
      const controller = new AbortController()
      running.set(id, controller)
      try {
        return await work(AbortSignal.any([request, controller.signal]))
      } finally {
        if (running.get(id) === controller) running.delete(id)
      }
    },

    cancel: (key: string) => signals.send('cancel', idOf(key)),
  }
}

/** Signals have a bounded length, and keys contain what clients send. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
