import { useEffect, useRef, useState } from 'react'
import { notificationTimes } from '../../../contract/limits'

/** Counts `time` milliseconds down in ticks, only while `running`, then calls `done` once. Null never ends. */
export function useCountdown(time: number | null, running: boolean, done: () => void): void {
  const [left, setLeft] = useState(time)
  const callback = useRef(done)
  callback.current = done

  useEffect(() => {
    if (!running || left === null) return
    if (left <= 0) {
      callback.current()
      return
    }
    const timer = setTimeout(() => setLeft(left - notificationTimes.tick), notificationTimes.tick)
    return () => clearTimeout(timer)
  }, [left, running])
}
