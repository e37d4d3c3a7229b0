export interface Turns {
  /** Waits for a place; whoever asked first has it first. Resolves to what gives it back. Rejects when `signal` aborts. */
  take(signal: AbortSignal): Promise<() => void>
}

/** Lets so many be at work at once. */
export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let atWork = 0

  function next(): void {
    while (atWork < atOnce) {
      const begin = waiting.shift()
      if (!begin) return
      atWork++
      begin()
    }
  }

  function giveBack(): () => void {
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      atWork--
      next()
    }
  }

  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const onAbort = () => {
          waiting.splice(waiting.indexOf(begin), 1)
          reject(signal.reason)
        }
        const begin = () => {
          signal.removeEventListener('abort', onAbort)
          resolve(giveBack())
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.push(begin)
        next()
      })
    },
  }
}
