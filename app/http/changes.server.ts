import { isAppError, statusOf } from '../../server/errors'

/** How often is looked, in milliseconds. */
const interval = 1_000

/**
 * What `look` finds: the first one, then again whenever it is another than before, until nobody listens, or until there
 * is nothing to see any more: what was looked at is deleted, or closed to who listens.
 */
export async function* changes<Found>(
  look: () => Promise<Found>,
  first: Found,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  let sent = ''
  for (let found: Found | null = first; found !== null && !signal.aborted; found = await foundOrGone(look)) {
    const now = JSON.stringify(found)
    if (now !== sent) yield found
    sent = now
    await pause(signal)
  }
}

async function foundOrGone<Found>(look: () => Promise<Found>): Promise<Found | null> {
  try {
    return await look()
  } catch (error) {
    if (isAppError(error) && statusOf[error.code] < 500) return null
    throw error
  }
}

/** Until the next look, or until nobody listens. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, interval)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
