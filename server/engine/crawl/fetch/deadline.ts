/** A signal that aborts with another one, after a time, or when it is told to. */
export interface Deadline {
  signal: AbortSignal
  isOver(): boolean
  stop(): void
  /** Forgets the clock; to be called in any case. */
  end(): void
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
    end() {
      clearTimeout(timer)
      parent.removeEventListener('abort', stop)
    },
  }
}
