const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Hours east of Greenwich, of the names that RFC 822 knows and those of Central Europe. */
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
const named = new RegExp(`unavailable_after\\s{0,9}[:=]\\s{0,9}${dayOfWeek}${day}${time}${zone}`, 'gi')

/**
 * From when on a robots rule asks for a page to be left out (`unavailable_after: <date>` as in RFC 822, RFC 850 or
 * ISO 8601), in milliseconds since 1970: the first of several; null without one that can be read. A time without a zone
 * is UTC.
 */
export function unavailableAfterOf(robots: string): number | null {
  let first: number | null = null
  for (const match of robots.matchAll(named)) {
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

/** Two digits mean the hundred years up to 2069, as RFC 2822 and POSIX have it. */
function fullYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}
