import { useNavigation, useRevalidator } from '@remix-run/react'
import { startTransition, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { untilSignedIn } from './session'

const intervalMs = 2_000

const holds = new Set<object>()
const holdListeners = new Set<() => void>()

/** Postpones reloads of the page until the returned function is called. */
export function holdReloads(): () => void {
  const hold = {}
  const change = (act: () => void) => {
    act()
    for (const listener of holdListeners) listener()
  }
  change(() => holds.add(hold))
  return () => change(() => holds.delete(hold))
}

function onHold(listener: () => void): () => void {
  holdListeners.add(listener)
  return () => holdListeners.delete(listener)
}

/**
 * Returns a function that loads the data of the page again. During a navigation, another reload or a hold it waits for the end:
 * an interrupted load would lose the notifications of a redirect, which the server sends once. Before that it waits until
 * the server is reached and the person signed in: a load that fails would replace the page.
 */
export function useReload(): () => void {
  const { revalidate, state } = useRevalidator()
  const isLoading = useNavigation().state !== 'idle' || state !== 'idle'
  const isHeld = useSyncExternalStore(
    onHold,
    () => holds.size > 0,
    () => false,
  )
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
  const reload = useReload()
  useEffect(() => {
    if (!isWaiting || state !== 'idle') return
    const timer = setTimeout(reload, intervalMs)
    return () => clearTimeout(timer)
  }, [isWaiting, state, reload])
}
