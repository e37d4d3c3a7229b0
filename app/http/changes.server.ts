/** How often is looked, in milliseconds. */
const interval = 1_000

/** What `look` finds: the first one, then again whenever it is another than before, until nobody listens. */
export async function* changes<Found>(
  look: () => Promise<Found>,
  first: Found,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  let sent = ''
  for (let found = first; !signal.aborted; found = await look()) {
    const now = JSON.stringify(found)
    if (now !== sent) yield found
    sent = now
    await pause(signal)
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
