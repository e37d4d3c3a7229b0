import { type RefObject, useEffect, useRef } from 'react'

/** A reader who is closer to the end than this is following it. */
const maxDistanceFromEndPx = 60

/** Keeps the end of a region in view while its content grows, unless the reader has scrolled up. */
export function useFollow(region: RefObject<HTMLElement>, content: unknown): void {
  const following = useRef(true)

  useEffect(() => {
    const element = region.current
    if (!element) return
    const onScroll = () => {
      following.current = element.scrollHeight - element.scrollTop - element.clientHeight < maxDistanceFromEndPx
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [region])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the content changes.
  useEffect(() => {
    const element = region.current
    if (element && following.current) element.scrollTop = element.scrollHeight
  }, [region, content])
}
