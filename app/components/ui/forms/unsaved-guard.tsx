import { type Location, useBlocker, useNavigate } from '@remix-run/react'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { announceDialog } from '../../notifications/use-top-layer'
import { unsentEvent } from '../browser/client-action'
import { holdReloads } from '../browser/use-reload'
import { Button } from '../button'
import { isListSearch } from './list-search'

/** Asks before unsaved input in a form with `data-guard` inside `scope` is lost, unless the form is being sent. */
export function UnsavedGuard({ scope }: { scope: RefObject<HTMLElement> }) {
  const dirty = useRef(new Set<Element>())

  useEffect(() => {
    const element = scope.current
    if (!element) return
    const formOf = ({ target }: Event) => (target instanceof Element ? target.closest('[data-guard]') : null)
    const onInput = (event: Event) => {
      const form = formOf(event)
      if (form) dirty.current.add(form)
    }
    let sent: Element | null = null
    const onSubmit = (event: Event) => {
      const form = formOf(event)
      sent = form && dirty.current.delete(form) ? form : null
    }
    const onUnsent = () => {
      if (sent) dirty.current.add(sent)
    }
    // Browsers ask in their own words before a page is left.
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (dirty.current.size > 0) event.preventDefault()
    }
    element.addEventListener('input', onInput)
    element.addEventListener('submit', onSubmit)
    window.addEventListener('beforeunload', onBeforeUnload)
    window.addEventListener(unsentEvent, onUnsent)
    return () => {
      element.removeEventListener('input', onInput)
      element.removeEventListener('submit', onSubmit)
      window.removeEventListener('beforeunload', onBeforeUnload)
      window.removeEventListener(unsentEvent, onUnsent)
    }
  }, [scope])

  const navigate = useNavigate()
  // The router forgets a blocked navigation when a reload ends that began before, so the question does not depend on it.
  const [next, setNext] = useState<Location | null>(null)
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const isLost = dirty.current.size > 0 && !keepsForms(scope.current, currentLocation, nextLocation)
    if (isLost) setNext(nextLocation)
    return isLost
  })
  if (next === null) return null

  function stay(): void {
    if (blocker.state === 'blocked') blocker.reset()
    setNext(null)
  }

  function leave(): void {
    setNext(null)
    dirty.current.clear()
    if (blocker.state === 'blocked') blocker.proceed()
    else if (next) navigate(next)
  }

  return <LeaveDialog stay={stay} leave={leave} />
}

/**
 * Whether forms keep their input in a navigation. A dialog is part of the query, so it may close. Forms of the page stay,
 * also where another form of it is sent to a path below.
 */
function keepsForms(scope: HTMLElement | null, from: Location, to: Location): boolean {
  if (scope?.closest('dialog')) return isListSearch(from, to)
  return to.pathname === from.pathname || to.pathname.startsWith(`${from.pathname}/`)
}

/** Not part of the address, because it holds a navigation back. */
function LeaveDialog({ stay, leave }: { stay: () => void; leave: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    const opener = document.activeElement
    const resumeReloads = holdReloads()
    dialog.showModal()
    announceDialog()
    return () => {
      resumeReloads()
      announceDialog(dialog)
      dialog.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        // The dialog of the form, if it is inside one, stays as well.
        event.stopPropagation()
        stay()
      }}
      onMouseDown={(event) => event.stopPropagation()}
      className="rise m-auto w-[calc(100vw-24px)] max-w-md rounded-large border border-line bg-surface p-5 text-text shadow-high"
    >
      <h2 id={titleId} className="text-[1.0625rem] font-[650]">
        Leave without saving your changes?
      </h2>
      <p className="mt-1 text-soft">What you entered is lost if you leave.</p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button type="button" onClick={stay}>
          Keep editing
        </Button>
        <Button type="button" look="danger-solid" onClick={leave}>
          Discard changes
        </Button>
      </div>
    </dialog>
  )
}
