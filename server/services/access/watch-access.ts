import type { Actor } from '../../actor'
import { isAppError } from '../../errors'

/** Authenticates the caller of a stream again. Throws unauthenticated once the session, the token or the key has ended. */
export type Reauthenticate = () => Promise<Actor>

/**
 * Time between two checks. They read the database, which also shows what another process, as the command line, changed.
 */
const intervalMs = 2_000

const revocationCodes: readonly string[] = ['unauthenticated', 'forbidden', 'not_found']

/**
 * Checks every 2 s whether the caller of a stream still has the right that `assertRight` demands; `signal` aborts once they
 * do not. Other failures, such as a busy database, are left to the next check. Call `stop` when the stream ends. Checks
 * nothing without `reauthenticate`, as on the command line.
 */
export function watchAccess(
  reauthenticate: Reauthenticate | undefined,
  assertRight: (actor: Actor) => void,
): { signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  let isChecking = false

  async function check(authenticate: Reauthenticate): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      assertRight(await authenticate())
    } catch (error) {
      if (isAppError(error) && revocationCodes.includes(error.code)) ended.abort()
    } finally {
      isChecking = false
    }
  }

  const timer = reauthenticate && setInterval(() => void check(reauthenticate), intervalMs)
  return { signal: ended.signal, stop: () => clearInterval(timer) }
}
