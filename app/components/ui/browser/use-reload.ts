import { useNavigation, useRevalidator } from '@remix-run/react'
import { startTransition, useCallback, useEffect, useState } from 'react'
import { untilReachable } from './network'

const intervalMs = 2_000

/**
 * Returns a function that loads the data of the page again. During a navigation or another reload it waits for the end:
 * an interrupted load would lose the notifications of a redirect, which the server sends once. It also waits until the
 * server is reached: a load that fails would replace the page.
 */
export function useReload(): () => void {
  const { revalidate, state } = useRevalidator()
  const isLoading = useNavigation().state !== 'idle' || state !== 'idle'
  const [isRequested, setIsRequested] = useState(false)

  useEffect(() => {
    if (isLoading || !isRequested) return
    const wait = new AbortController()
    void untilReachable(wait.signal).then(() => {
      if (wait.signal.aborted) return
      setIsRequested(false)
      revalidate()
    })
    return () => wait.abort()
  }, [isLoading, isRequested, revalidate])

  // The router publishes its state in transitions. A request in a transition is rendered together with a load that has
  // just started, so the two cannot miss each other.
  return useCallback(() => startTransition(() => setIsRequested(true)), [])
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
