import { useEffect, useState } from 'react'
import { exactTime, relativeTime, shortTime, untilTime } from './format'

/**
 * '2 hours ago', with the exact time as its title. The server does not know the reader's time zone, so the exact time is
 * in UTC until scripts run.
 */
export function RelativeTime({
  value,
  ahead = false,
}: {
  value: string
  /** For planned times: 'in 2 hours'. */
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

/** 'Mar 4, 2026, 14:05', in UTC until scripts run, because the server does not know the reader's time zone. */
export function LocalTime({ value }: { value: string }) {
  const [isLocal, setLocal] = useState(false)
  useEffect(() => setLocal(true), [])
  return (
    <time dateTime={value} title={exactTime(value, isLocal ? undefined : 'UTC')}>
      {shortTime(value, isLocal ? undefined : 'UTC')}
    </time>
  )
}
