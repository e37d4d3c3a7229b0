export interface StreamTimeouts {
  /** Limit from the request to the first text or reasoning. */
  firstTokenMs: number
  /** Limit between two chunks. */
  idleMs: number
  /** Limit from the chunk that ends the answer to the end of the stream. */
  afterStopMs: number
  /** The complete answer, retries included. */
  totalMs: number
}

export interface StreamTimer {
  /** Aborts when the caller's signal does, and when a timeout expires. */
  signal: AbortSignal
  /** Stops the clock while the consumer processes a chunk. */
  pause(): void
  /** Restarts the clock for the next chunk. */
  resume(state: { hasProgress: boolean; hasStopped: boolean }): void
  isExpired(): boolean
  /** Clears the timers and aborts the request if it is still running. */
  close(): void
}

/** Creates a timer that aborts a request when its caller does, and when one of its timeouts expires. */
export function createStreamTimer(caller: AbortSignal, times: StreamTimeouts): StreamTimer {
  const controller = new AbortController()
  const startedAt = performance.now()
  let isExpired = false
  const stop = () => controller.abort()
  const expire = () => {
    isExpired = true
    controller.abort()
  }
  let nextTimer = setTimeout(expire, times.firstTokenMs)
  const totalTimer = setTimeout(expire, times.totalMs)
  caller.addEventListener('abort', stop, { once: true })
  if (caller.aborted) stop()
  return {
    signal: controller.signal,
    pause: () => clearTimeout(nextTimer),
    resume({ hasProgress, hasStopped }) {
      clearTimeout(nextTimer)
      const untilFirstMs = times.firstTokenMs - (performance.now() - startedAt)
      const idleMs = hasProgress ? times.idleMs : Math.max(times.idleMs, untilFirstMs)
      nextTimer = setTimeout(expire, hasStopped ? times.afterStopMs : idleMs)
    },
    isExpired: () => isExpired,
    close() {
      clearTimeout(nextTimer)
      clearTimeout(totalTimer)
      caller.removeEventListener('abort', stop)
      controller.abort()
    },
  }
}
