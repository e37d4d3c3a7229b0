import { useSyncExternalStore } from 'react'
import { paths } from '../../../paths'

const retryMs = 2_000

/** Waits for a server that did not respond. */
const waits = new Set<object>()
const listeners = new Set<() => void>()

/** Whether a request got no response: 'Failed to fetch' in Chromium, 'NetworkError…' in Firefox, 'Load failed' in Safari. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
}

/**
 * Resolves once the server responds, or `signal` aborts. A browser that has a network need not reach it, so the server
 * itself is asked, again and again. A proxy whose server is away answers with 502, 503 or 504.
 */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  const wait = {}
  try {
    while (!signal.aborted && !(await isReachable(signal))) {
      setWaiting(wait, !signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  } finally {
    setWaiting(wait, false)
  }
}

async function isReachable(signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await fetch(paths.health(), { method: 'HEAD', signal })
    return ![502, 503, 504].includes(status)
  } catch {
    return false
  }
}

function setWaiting(wait: object, isWaiting: boolean): void {
  if (isWaiting) waits.add(wait)
  else waits.delete(wait)
  for (const listener of listeners) listener()
}

/** Whether the page waits for a server that did not respond. */
export function useIsReconnecting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waits.size > 0,
    () => false,
  )
}
