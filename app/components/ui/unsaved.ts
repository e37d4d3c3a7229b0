import { useBlocker } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'

const question = 'Leave without saving your changes?'

/** Asks before typed but unsent changes of a form inside `scope` are lost. Sending the form is no loss. */
export function useUnsavedGuard(scope: RefObject<HTMLElement>): void {
  const dirty = useRef(false)

  useEffect(() => {
    const element = scope.current
    if (!element) return
    const changed = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('[data-guard]')) dirty.current = true
    }
    const sent = () => {
      dirty.current = false
    }
    const leaving = (event: BeforeUnloadEvent) => {
      if (dirty.current) event.preventDefault()
    }
    element.addEventListener('input', changed)
    element.addEventListener('submit', sent)
    window.addEventListener('beforeunload', leaving)
    return () => {
      element.removeEventListener('input', changed)
      element.removeEventListener('submit', sent)
      window.removeEventListener('beforeunload', leaving)
    }
  }, [scope])

  const blocker = useBlocker(() => dirty.current && !window.confirm(question))
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset()
  }, [blocker])
}
