export interface StreamTimeouts {
  /** From the request to the first text. */
  firstTokenMs: number
  /** Between two chunks. */
  idleMs: number
  /** The complete answer, retries included. */
  totalMs: number
}

export interface StreamTimer {
  /** Aborts when the caller's signal does, and when a timeout expires. */
  signal: AbortSignal
  /** Stops the clock while the consumer processes a chunk. */
  pause(): void
  /** Restarts the clock for the next chunk. */
  resume(hasText: boolean): void
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
    resume(hasText) {
      clearTimeout(nextTimer)
      const untilFirstMs = times.firstTokenMs - (performance.now() - startedAt)
      nextTimer = setTimeout(expire, hasText ? times.idleMs : Math.max(times.idleMs, untilFirstMs))
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
