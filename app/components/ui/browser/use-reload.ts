import { useNavigation, useRevalidator } from '@remix-run/react'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { untilSignedIn } from './session'
import { createSharedState } from './shared-state'

const intervalMs = 2_000

const holds = createSharedState(0)

/** Postpones reloads of the page until the returned function is called, once. */
export function holdReloads(): () => void {
  holds.set(holds.get() + 1)
  return () => holds.set(holds.get() - 1)
}

/**
 * Returns a function that loads the data of the page again. During a navigation, another reload or a hold it waits for the end:
 * an interrupted load would lose the notifications of a redirect, which the server sends once. Before that it waits until
 * the server is reached and the person signed in: a load that fails would replace the page.
 */
export function useReload(): () => void {
  const { revalidate, state } = useRevalidator()
  const isLoading = useNavigation().state !== 'idle' || state !== 'idle'
  const isHeld = holds.use() > 0
  const [isRequested, setIsRequested] = useState(false)
  const wait = useRef<AbortController | null>(null)

  useEffect(() => () => wait.current?.abort(), [])

  useEffect(() => {
    if (isLoading || isHeld || !isRequested) return
    setIsRequested(false)
    revalidate()
  }, [isLoading, isHeld, isRequested, revalidate])

  // The router publishes its state in transitions. A request in a transition is rendered together with a load that has
  // just started, so the two cannot miss each other.
  return useCallback(async () => {
    if (wait.current) return
    const controller = new AbortController()
    wait.current = controller
    await untilSignedIn(controller.signal)
    wait.current = null
    if (!controller.signal.aborted) startTransition(() => setIsRequested(true))
  }, [])
}

/** Loads the data of the page again every two seconds while `isWaiting`. */
export function useReloadWhile(isWaiting: boolean): void {
  const { state } = useRevalidator()
  const isIdle = useRef(true)
  isIdle.current = state === 'idle'
  const reload = useReload()
  useEffect(() => {
    if (!isWaiting) return
    // An interval, because a fast load starts and ends within one rendering: no effect would see it.
    const timer = setInterval(() => isIdle.current && reload(), intervalMs)
    return () => clearInterval(timer)
  }, [isWaiting, reload])
}
