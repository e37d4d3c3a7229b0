import { useNavigation, useRevalidator } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'

const intervalMs = 2_000

/**
 * Returns a function that loads the data of the page again. During a navigation or another reload it waits for the end:
 * an interrupted load would lose the notifications of a redirect, which the server sends once.
 */
export function useReload(): () => void {
  const { revalidate, state } = useRevalidator()
  const isLoading = useNavigation().state !== 'idle' || state !== 'idle'
  const loading = useRef(isLoading)
  loading.current = isLoading
  const [isDeferred, setIsDeferred] = useState(false)

  useEffect(() => {
    if (isLoading || !isDeferred) return
    setIsDeferred(false)
    revalidate()
  }, [isLoading, isDeferred, revalidate])

  return useCallback(() => {
    if (loading.current) setIsDeferred(true)
    else revalidate()
  }, [revalidate])
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
