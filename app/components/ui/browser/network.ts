import { paths } from '../../../paths'
import { createSharedState } from './shared-state'

const retryMs = 2_000

/** How many requests wait for a server that did not respond. */
const waits = createSharedState(0)

/** Whether a request got no response: 'Failed to fetch' in Chromium, 'NetworkError…' in Firefox, 'Load failed' in Safari. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
}

/**
 * Resolves once the server responds, or `signal` aborts. A browser that has a network need not reach it, so the server
 * itself is asked, again and again. A proxy whose server is away answers with 502, 503 or 504.
 */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  if (signal.aborted || (await isReachable(signal)) || signal.aborted) return
  waits.set(waits.get() + 1)
  try {
    do await new Promise((resolve) => setTimeout(resolve, retryMs))
    while (!signal.aborted && !(await isReachable(signal)))
  } finally {
    waits.set(waits.get() - 1)
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

/** Whether the page waits for a server that did not respond. */
export function useIsReconnecting(): boolean {
  return waits.use() > 0
}
