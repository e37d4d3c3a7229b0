const language = 'en'

const counts = new Intl.NumberFormat(language)
const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

const shortTimes = byTimeZone({ dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
const exactTimes = byTimeZone({ dateStyle: 'medium', timeStyle: 'long' })
const days = byTimeZone({ dateStyle: 'long' })

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function formatCount(value: number): string {
  return counts.format(value)
}

/** A number with its noun: '1 address', '2,000 addresses'. */
export function formatCounted(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`
}

/** '1.5 MB'. */
export function formatMegabytes(bytes: number): string {
  return `${decimals.format(bytes / 1024 / 1024)} MB`
}

/** '900 B', '20 KB', '1.5 MB', '76.2 GB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${counts.format(bytes)} B`
  if (bytes < 1024 ** 2) return `${counts.format(Math.round(bytes / 1024))} KB`
  return bytes < 1024 ** 3 ? formatMegabytes(bytes) : `${decimals.format(bytes / 1024 ** 3)} GB`
}

/** Milliseconds as '1.23 s'. */
export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`
}

/** '84 ms', '1.23 s'. */
export function formatLatency(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : formatSeconds(milliseconds)
}

export function formatScore(score: number): string {
  return score.toFixed(4)
}

/** '2 hours ago'. `now` is in milliseconds. Times ahead of it, from a clock that is wrong, are 'just now'. */
export function relativeTime(iso: string, now: number): string {
  const seconds = Math.min(0, (Date.parse(iso) - now) / 1_000)
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return 'just now'
}

/** 'in 7 days', for planned times: in days up to two weeks. Past times are 'in a moment'. */
export function untilTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1_000
  for (const [unit, size] of steps) {
    if (unit === 'week' && seconds < 2 * size) continue
    if (seconds >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return 'in a moment'
}

/** 'Mar 4, 2026, 14:05', in UTC with the zone's name if `timeZone` is given. */
export function shortTime(iso: string, timeZone?: string): string {
  const text = shortTimes(timeZone).format(new Date(iso))
  return timeZone === undefined ? text : `${text} ${timeZone}`
}

export function exactTime(iso: string, timeZone?: string): string {
  return exactTimes(timeZone).format(new Date(iso))
}

/** 'Today', 'Yesterday', 'March 4, 2026'. `now` is in milliseconds. */
export function dayName(iso: string, now: number, timeZone?: string): string {
  const dates = days(timeZone)
  const day = dates.format(new Date(iso))
  if (day === dates.format(now)) return 'Today'
  return day === dates.format(now - 86_400_000) ? 'Yesterday' : day
}

/** '16 s', '3 min', '2 h'. */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** The format for each time zone. Creating one takes 30 times as long as using it. */
function byTimeZone(options: Intl.DateTimeFormatOptions): (timeZone?: string) => Intl.DateTimeFormat {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return (timeZone) => {
    const known = formats.get(timeZone)
    if (known) return known
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}

/** An address without its scheme and trailing slash. */
export function shortAddress(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
