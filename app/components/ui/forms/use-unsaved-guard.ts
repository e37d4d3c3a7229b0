import { useBlocker } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'

const question = 'Leave without saving your changes?'

/** Asks before unsaved input in a form with `data-guard` inside `scope` is lost, unless the form is being sent. */
export function useUnsavedGuard(scope: RefObject<HTMLElement>): void {
  const dirty = useRef(false)

  useEffect(() => {
    const element = scope.current
    if (!element) return
    const onInput = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('[data-guard]')) dirty.current = true
    }
    const onSubmit = () => {
      dirty.current = false
    }
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (dirty.current) event.preventDefault()
    }
    element.addEventListener('input', onInput)
    element.addEventListener('submit', onSubmit)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => {
      element.removeEventListener('input', onInput)
      element.removeEventListener('submit', onSubmit)
      window.removeEventListener('beforeunload', onBeforeUnload)
    }
  }, [scope])

  const blocker = useBlocker(() => dirty.current && !window.confirm(question))
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset()
  }, [blocker])
}
