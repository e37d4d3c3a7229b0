import { type MouseEvent, useEffect, useRef } from 'react'
import { paths } from '../../paths'
import { setShownPerson, untilSignedIn, useIsSignedOut } from '../ui/browser/session'
import { buttonClasses } from '../ui/button'
import { BlockingDialog } from '../ui/dialogs/blocking-dialog'

/** Asks the person to sign in again, above the page and its drafts, once the session has ended. */
export function SignedOut({ email }: { email: string }) {
  const isSignedOut = useIsSignedOut()

  useEffect(() => {
    setShownPerson(email)
    return () => setShownPerson(null)
  }, [email])

  // Another tab may have logged out while this one was hidden.
  useEffect(() => {
    let asking: AbortController | null = null
    const ask = async () => {
      if (asking || document.visibilityState !== 'visible') return
      asking = new AbortController()
      await untilSignedIn(asking.signal)
      asking = null
    }
    const events = ['visibilitychange', 'focus', 'pageshow']
    for (const name of events) addEventListener(name, ask)
    return () => {
      for (const name of events) removeEventListener(name, ask)
      asking?.abort()
    }
  }, [])

  return isSignedOut ? <SignedOutDialog /> : null
}

function SignedOutDialog() {
  const signIn = useRef<Window | null>(null)

  useEffect(() => () => signIn.current?.close(), [])

  function open(event: MouseEvent<HTMLAnchorElement>) {
    signIn.current = window.open(paths.login(), 'sitelore-sign-in')
    if (signIn.current) event.preventDefault()
  }

  return (
    <BlockingDialog title="You are signed out" text="Sign in again to continue. What you entered stays on this page.">
      <a href={paths.landing()} className={buttonClasses()}>
        Leave this page
      </a>
      <a href={paths.login()} target="sitelore-sign-in" onClick={open} className={buttonClasses('primary')}>
        Sign in
      </a>
    </BlockingDialog>
  )
}
