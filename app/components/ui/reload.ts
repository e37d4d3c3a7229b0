import { useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'

/** Between two looks at what is still being made, in milliseconds. */
const interval = 2_000

/** Loads the page's data anew, again and again, while something is still being made. */
export function useReloadWhile(waiting: boolean): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!waiting || state !== 'idle') return
    const timer = setTimeout(revalidate, interval)
    return () => clearTimeout(timer)
  }, [waiting, state, revalidate])
}
