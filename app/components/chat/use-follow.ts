import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** A reader who is closer to the end than this is following it. */
const maxDistanceFromEndPx = 60

interface Follow {
  /** Whether the end of the region is in view, or will be as soon as it is drawn. */
  isAtEnd: boolean
  /** Goes to the end, and follows it from there. */
  toEnd: () => void
}

/** Keeps the end of a region in view while its content grows, unless the reader has scrolled up. */
export function useFollow(region: RefObject<HTMLElement>, content: unknown): Follow {
  const following = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)

  useEffect(() => {
    const element = region.current
    if (!element) return
    let lastTop = element.scrollTop
    const measure = () => {
      const distance = element.scrollHeight - element.scrollTop - element.clientHeight
      // Not the distance alone: while an answer grows, this runs later than the content that it measures.
      if (distance < maxDistanceFromEndPx) following.current = true
      else if (element.scrollTop < lastTop) following.current = false
      lastTop = element.scrollTop
      setAtEnd(following.current)
    }
    element.addEventListener('scroll', measure, { passive: true })
    return () => element.removeEventListener('scroll', measure)
  }, [region])

  const toEnd = useCallback(() => {
    following.current = true
    setAtEnd(true)
    const element = region.current
    if (element) element.scrollTop = element.scrollHeight
  }, [region])

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the content changes.
  useEffect(() => {
    if (following.current) toEnd()
  }, [toEnd, content])

  return { isAtEnd, toEnd }
}
