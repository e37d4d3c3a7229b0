const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Hours east of Greenwich of the zones of RFC 822 and of Central Europe. */
const zones: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  cet: 1,
  cest: 2,
}

const dayOfWeek = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\\s{1,9})?'
const day = '(?:(\\d{4})-(\\d\\d)-(\\d\\d)|(\\d{1,2})[ -]([a-z]{3})[a-z]{0,6}\\.?[ -](\\d{4}|\\d\\d)(?!\\d))'
const time = '(?:(?:t|\\s{1,9})(\\d\\d):(\\d\\d)(?::(\\d\\d))?(?:\\.\\d{1,9})?)?'
const zone = '(?:\\s{0,9}(?:([a-z]{1,4})(?![a-z_])|([+-])(\\d\\d):?(\\d\\d)))?'
const rule = new RegExp(`unavailable_after\\s{0,9}[:=]\\s{0,9}${dayOfWeek}${day}${time}${zone}`, 'gi')

/**
 * The earliest date of the rules `unavailable_after: <date>` in a robots directive, in milliseconds since 1970; null
 * without a valid one. Reads dates of RFC 822, RFC 850 and ISO 8601; a time without a zone is UTC.
 */
export function parseUnavailableAfter(robots: string): number | null {
  let first: number | null = null
  for (const match of robots.matchAll(rule)) {
    const time = timeOf(match)
    if (Number.isFinite(time) && (first === null || time < first)) first = time
  }
  return first
}

function timeOf(match: RegExpMatchArray): number {
  const [, isoYear, isoMonth, isoDay, dayOfMonth, monthName = '', year, hour, minute, second, zoneName, sign] = match
  const month = isoMonth === undefined ? months.indexOf(monthName.toLowerCase()) : Number(isoMonth) - 1
  if (month < 0 || month > 11) return Number.NaN
  const local = Date.UTC(
    isoYear === undefined ? fullYear(year ?? '') : Number(isoYear),
    month,
    Number(isoDay ?? dayOfMonth),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  )
  const [east = 0, past = 0] = match.slice(12, 14).map(Number)
  const minutes = sign ? (sign === '-' ? -1 : 1) * (east * 60 + past) : (zones[zoneName?.toLowerCase() ?? ''] ?? 0) * 60
  return local - minutes * 60_000
}

/** Two digits mean the years 1970 to 2069, as in RFC 2822 and POSIX. */
function fullYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}
