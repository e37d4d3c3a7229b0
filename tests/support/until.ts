import { setTimeout as sleep } from 'node:timers/promises'

export interface UntilOptions {
  everyMs?: number
  /** Ends a test that hangs: far longer than any wait takes on a busy machine. */
  patienceMs?: number
}

/** Calls `read` until its value is truthy, and resolves to that value. Rejects with the last one when patience ends. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  { everyMs = 20, patienceMs = 60_000 }: UntilOptions = {},
): Promise<NonNullable<Value>> {
  let value = await read()
  // Counted, not measured: a test may have stopped the clock.
  for (let left = patienceMs / everyMs; !value && left > 0; left--) {
    await sleep(everyMs)
    value = await read()
  }
  if (!value) throw new Error(`Nothing came of ${read} within ${patienceMs / 1000} s: ${JSON.stringify(value)}`)
  return value
}
