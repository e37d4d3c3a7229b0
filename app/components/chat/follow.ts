import { type RefObject, useEffect, useRef } from 'react'

/** How near the end still counts as reading the end, in pixels. */
const near = 60

/** Keeps the end of a scrolled region in view while it grows, until the reader scrolls up; back at the end it follows again. */
export function useFollow(region: RefObject<HTMLElement>, growing: unknown): void {
  const following = useRef(true)

  useEffect(() => {
    const element = region.current
    if (!element) return
    const scrolled = () => {
      following.current = element.scrollHeight - element.scrollTop - element.clientHeight < near
    }
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => element.removeEventListener('scroll', scrolled)
  }, [region])

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever makes it grow.
  useEffect(() => {
    const element = region.current
    if (element && following.current) element.scrollTop = element.scrollHeight
  }, [region, growing])
}
