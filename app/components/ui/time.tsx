import { useEffect, useState } from 'react'
import { exactTime, relativeTime, untilTime } from './format'

/**
 * 'two hours ago', with the exact time for who asks. The server knows neither the reader's clock nor zone, so the exact
 * time stands in UTC until the page's script runs.
 */
export function RelativeTime({
  value,
  ahead = false,
}: {
  value: string /** Of something planned. */
  ahead?: boolean
}) {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={value} title={exactTime(value, now === null ? 'UTC' : undefined)} suppressHydrationWarning>
      {(ahead ? untilTime : relativeTime)(value, now ?? Date.now())}
    </time>
  )
}
