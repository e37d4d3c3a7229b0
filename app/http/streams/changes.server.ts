import { statusOf } from '../../../contract/values/error-codes'
import { isAppError } from '../../../server/errors'

/** Time between two polls. */
const intervalMs = 1_000

/**
 * Yields `first`, then polls `load` and yields each value that differs from the one before. Ends when `signal` aborts, or
 * when what is polled is deleted or no longer accessible.
 */
export async function* changes<Value>(
  load: () => Promise<Value>,
  first: Value,
  signal: AbortSignal,
): AsyncGenerator<Value> {
  let sent = ''
  for (let value: Value | null = first; value !== null && !signal.aborted; value = await loadOrNull(load)) {
    const json = JSON.stringify(value)
    if (json !== sent) yield value
    sent = json
    await pause(signal)
  }
}

async function loadOrNull<Value>(load: () => Promise<Value>): Promise<Value | null> {
  try {
    return await load()
  } catch (error) {
    if (isAppError(error) && statusOf[error.code] < 500) return null
    throw error
  }
}

/** Resolves at the next poll, or when `signal` aborts. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, intervalMs)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
