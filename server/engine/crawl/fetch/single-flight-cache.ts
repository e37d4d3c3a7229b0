/** Answers that are asked for once, whoever wants them meanwhile, and hold for a while. */
export interface AnswerMemory<T> {
  /**
   * The answer of this name, from `ask` where it is not known any more. Rejects at once when `signal` aborts; the others
   * who wait then ask themselves.
   */
  recall(name: string, ask: () => Promise<{ answer: T; holdsMs: number }>, signal?: AbortSignal): Promise<T>
}

/** Keeps at most `size` answers; the oldest goes first. `now` in milliseconds. */
export function createAnswerMemory<T>({ size, now }: { size: number; now: () => number }): AnswerMemory<T> {
  const known = new Map<string, { until: number; answer: T }>()
  const asking = new Map<string, Promise<T>>()

  async function keep(name: string, ask: () => Promise<{ answer: T; holdsMs: number }>): Promise<T> {
    const { answer, holdsMs } = await ask()
    known.delete(name)
    if (known.size >= size) known.delete(known.keys().next().value ?? '')
    known.set(name, { until: now() + holdsMs, answer })
    return answer
  }

  return {
    async recall(name, ask, signal) {
      for (;;) {
        const cached = known.get(name)
        if (cached && cached.until > now()) return cached.answer
        const pending = asking.get(name)
        if (!pending) break
        const shared = await orAborted(pending, signal)
        if (shared) return shared.answer
      }
      const asked = keep(name, ask).finally(() => asking.delete(name))
      asking.set(name, asked)
      return asked
    },
  }
}

/** What another one asked for; null when that one failed. */
function orAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<{ answer: T } | null> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    promise
      .then(
        (answer) => resolve({ answer }),
        () => resolve(null),
      )
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
