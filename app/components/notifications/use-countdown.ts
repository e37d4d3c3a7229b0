import { useEffect, useRef, useState } from 'react'
import { notificationTimes } from '../../../contract/values/limits'

/** Counts down `timeMs` in ticks while `isRunning`, then calls `onEnd` once. Null never ends. */
export function useCountdown(timeMs: number | null, isRunning: boolean, onEnd: () => void): void {
  const [left, setLeft] = useState(timeMs)
  const callback = useRef(onEnd)
  callback.current = onEnd

  useEffect(() => {
    if (!isRunning || left === null) return
    if (left <= 0) {
      callback.current()
      return
    }
    const timer = setTimeout(() => setLeft(left - notificationTimes.tick), notificationTimes.tick)
    return () => clearTimeout(timer)
  }, [left, isRunning])
}
