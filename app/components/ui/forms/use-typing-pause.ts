import { useRef } from 'react'

const typingPauseMs = 250

/**
 * Returns a function that does `work` after a pause in typing, unless it is called again before. With `isTyped` false, as
 * for a choice from a list, it does the work without a pause.
 */
export function useTypingPause(): (work: () => void, isTyped?: boolean) => void {
  const timer = useRef<number>()
  return (work, isTyped = true) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(work, isTyped ? typingPauseMs : 0)
  }
}
