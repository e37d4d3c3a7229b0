/** Milliseconds. */
export interface WatchTimes {
  /** From the request to the first text. */
  firstToken: number
  /** Between two parts of a stream. */
  idle: number
  /** The whole answer, repetitions included. */
  total: number
}

export interface Watch {
  /** Aborts when the caller's signal does, and when the request is late. */
  signal: AbortSignal
  /** A part arrived and is being handed on: how long its reader takes is not the provider's time. */
  rest(): void
  /** The next part is waited for. */
  resume(textSeen: boolean): void
  late(): boolean
  /** Frees the timers and ends what still runs. */
  end(): void
}

/** Ends a request when its caller aborts or when it is late: for its first text, between two parts, or as a whole. */
export function createWatch(caller: AbortSignal, times: WatchTimes): Watch {
  const controller = new AbortController()
  const startedAt = performance.now()
  let late = false
  const stop = () => controller.abort()
  const expire = () => {
    late = true
    controller.abort()
  }
  let next = setTimeout(expire, times.firstToken)
  const whole = setTimeout(expire, times.total)
  caller.addEventListener('abort', stop, { once: true })
  if (caller.aborted) stop()
  return {
    signal: controller.signal,
    rest: () => clearTimeout(next),
    resume(textSeen) {
      clearTimeout(next)
      const untilFirst = times.firstToken - (performance.now() - startedAt)
      next = setTimeout(expire, textSeen ? times.idle : Math.max(times.idle, untilFirst))
    },
    late: () => late,
    end() {
      clearTimeout(next)
      clearTimeout(whole)
      caller.removeEventListener('abort', stop)
      controller.abort()
    },
  }
}
