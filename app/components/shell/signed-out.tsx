import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { paths } from '../../paths'
import { announceDialog } from '../notifications/use-top-layer'
import { setShownPerson, untilSignedIn, useIsSignedOut } from '../ui/browser/session'
import { holdReloads } from '../ui/browser/use-reload'
import { buttonClasses } from '../ui/button'

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
  const ref = useRef<HTMLDialogElement>(null)
  const signIn = useRef<Window | null>(null)
  const titleId = useId()
  const textId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const resumeReloads = holdReloads()
    const opener = document.activeElement
    dialog.showModal()
    announceDialog()
    return () => {
      resumeReloads()
      announceDialog(dialog)
      dialog.close()
      signIn.current?.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])

  function open(event: MouseEvent<HTMLAnchorElement>) {
    signIn.current = window.open(paths.login(), 'sitelore-sign-in')
    if (signIn.current) event.preventDefault()
  }

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      className="rise m-auto w-[calc(100vw-24px)] max-w-md rounded-large border border-line bg-surface p-5 text-text shadow-high"
    >
      <h2 id={titleId} className="text-[1.0625rem] font-[650]">
        You are signed out
      </h2>
      <p id={textId} className="mt-1 text-soft">
        Sign in again to continue. What you entered stays on this page.
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <a href={paths.landing()} className={buttonClasses()}>
          Leave this page
        </a>
        <a href={paths.login()} target="sitelore-sign-in" onClick={open} className={buttonClasses('primary')}>
          Sign in
        </a>
      </div>
    </dialog>
  )
}
