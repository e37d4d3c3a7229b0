import { paths } from '../../../paths'
import { untilReachable } from './network'
import { createSharedState } from './shared-state'

const askMs = 2_000

const isSignedOut = createSharedState(false)
/** The e-mail address of the person whom the page was made for; null on public pages. */
let shownEmail: string | null = null

/** Whether the session of the page has ended, so that the person has to sign in again. */
export function useIsSignedOut(): boolean {
  return isSignedOut.use()
}

export function setShownPerson(email: string | null): void {
  shownEmail = email
}

/**
 * Resolves once the server responds and the person is signed in, or `signal` aborts: to whether the session had ended.
 * Meanwhile the page shows a dialog above what was being done. Loads the page again for another person.
 */
export async function untilSignedIn(signal: AbortSignal): Promise<boolean> {
  let hadEnded = false
  while (!signal.aborted) {
    let email = await signedInEmail(signal)
    if (email === '') {
      await untilReachable(signal)
      email = await signedInEmail(signal)
    }
    if (email !== null || signal.aborted) {
      isSignedOut.set(false)
      if (email && shownEmail !== null && email !== shownEmail) window.location.reload()
      return hadEnded
    }
    hadEnded = true
    isSignedOut.set(true)
    await new Promise((resolve) => setTimeout(resolve, askMs))
  }
  return hadEnded
}

/** A request was redirected to another page: lets the person sign in again, or goes where the server leads. */
export async function followRedirect(signal: AbortSignal): Promise<void> {
  const hadEnded = await untilSignedIn(signal)
  if (!hadEnded && !signal.aborted) window.location.reload()
}

/** Empty if that is not known, as when a proxy responds; null without a session. */
async function signedInEmail(signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(paths.session(), { headers: { Accept: 'application/json' }, signal })
    if (!response.ok) return ''
    const { email } = await response.json()
    return typeof email === 'string' ? email : null
  } catch {
    return ''
  }
}
