import { useNavigation, useRevalidator } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'

/** Between two looks at what is still being made, in milliseconds. */
const interval = 2_000

/**
 * Loads the page's data anew; while somebody is on the way to a page it waits for the arrival. A load that is broken
 * off takes along what the redirect brought: the server gives a notification once.
 */
export function useReload(): () => void {
  const { revalidate } = useRevalidator()
  const isMoving = useNavigation().state !== 'idle'
  const moving = useRef(isMoving)
  moving.current = isMoving
  const [isPutOff, setIsPutOff] = useState(false)

  useEffect(() => {
    if (isMoving || !isPutOff) return
    setIsPutOff(false)
    revalidate()
  }, [isMoving, isPutOff, revalidate])

  return useCallback(() => {
    if (moving.current) setIsPutOff(true)
    else revalidate()
  }, [revalidate])
}

/** Loads the page's data anew, again and again, while something is still being made. */
export function useReloadWhile(waiting: boolean): void {
  const { state } = useRevalidator()
  const reload = useReload()
  useEffect(() => {
    if (!waiting || state !== 'idle') return
    const timer = setTimeout(reload, interval)
    return () => clearTimeout(timer)
  }, [waiting, state, reload])
}
