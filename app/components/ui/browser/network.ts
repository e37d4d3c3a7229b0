import { paths } from '../../../paths'

const retryMs = 2_000

/** Whether a request got no response: 'Failed to fetch' in Chromium, 'NetworkError…' in Firefox, 'Load failed' in Safari. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
}

/**
 * Resolves once the server responds, or `signal` aborts. A browser that has a network need not reach it, so the server
 * itself is asked, again and again.
 */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await fetch(paths.health(), { method: 'HEAD', signal })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
