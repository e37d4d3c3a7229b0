/** A signal that aborts with its parent, after a time, or on `stop`. */
export interface Deadline {
  signal: AbortSignal
  isOver(): boolean
  stop(): void
  /** Clears the timer. Always call it. */
  clear(): void
}

export function createDeadline(ms: number, parent: AbortSignal): Deadline {
  const controller = new AbortController()
  const stop = () => controller.abort(parent.aborted ? parent.reason : undefined)
  const timer = setTimeout(stop, ms)
  parent.addEventListener('abort', stop)
  if (parent.aborted) stop()
  return {
    signal: controller.signal,
    isOver: () => controller.signal.aborted,
    stop,
    clear() {
      clearTimeout(timer)
      parent.removeEventListener('abort', stop)
    },
  }
}
