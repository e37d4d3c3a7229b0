import { type Location, useBlocker, useNavigate } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { unsentEvent } from '../browser/client-action'
import { Button } from '../button'
import { isListSearch } from '../forms/list-search'
import { BlockingDialog } from './blocking-dialog'

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

  return (
    <BlockingDialog
      title="Leave without saving your changes?"
      text="What you entered is lost if you leave."
      onCancel={stay}
    >
      <Button type="button" onClick={stay}>
        Keep editing
      </Button>
      <Button type="button" variant="danger-solid" onClick={leave}>
        Discard changes
      </Button>
    </BlockingDialog>
  )
}

/**
 * Whether forms keep their input in a navigation. A dialog is part of the query, so it may close. Forms of the page stay,
 * also where another form of it is sent to a path below.
 */
function keepsForms(scope: HTMLElement | null, from: Location, to: Location): boolean {
  if (scope?.closest('dialog')) return isListSearch(from, to)
  return to.pathname === from.pathname || to.pathname.startsWith(`${from.pathname}/`)
}
