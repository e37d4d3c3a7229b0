/** A date in a text, and where it is. */
export interface WrittenDate {
  /** Midnight of the day in UTC, in milliseconds since 1970. */
  time: number
  index: number
  length: number
}

const languages =
  'en de fr es it pt nl pl cs sk sv da nb fi hu ro ru uk bg hr sr sl el tr et lv lt ca id vi ja zh ko'.split(' ')

/** Numbers of months, from 0, by their names: in full, short, and as they are written next to a day. */
const months = monthNames()

function monthNames(): Map<string, number> {
  const names = new Map<string, number>()
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      for (const options of [{ month }, { month, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
        for (let number = 0; number < 12; number++) {
          const parts = format.formatToParts(Date.UTC(2024, number, 15))
          const name = normalized(parts.find(({ type }) => type === 'month')?.value ?? '')
          if (/^\p{L}{3,}/u.test(name) && !names.has(name)) names.set(name, number)
        }
      }
    }
  }
  // Short forms that newspapers use.
  for (const [name, number] of [
    ['sept', 8],
    ['maerz', 2],
    ['mrz', 2],
    ['jänner', 0],
    ['feber', 1],
  ] as const)
    names.set(name, number)
  return names
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

const year = '((?:19|20)\\d\\d)'
const day = '(\\d{1,2})'
const word = '(\\p{L}[\\p{L}\\p{M}]{2,})'
/** 2026-05-04, 2026/5/4, 2026.05.04 and the dates of East Asia. */
const yearFirst = new RegExp(`(?<!\\d)${year}\\s?(?:[-/.]|年|년)\\s?${day}\\s?(?:[-/.]|月|월)\\s?${day}(?!\\d)`, 'gu')
/** 4 May 2026, 4. Mai 2026, 4 de mayo de 2026, 4th of May, 2026, 4-May-2026. */
const dayFirst = new RegExp(
  `(?<!\\d)${day}(?:st|nd|rd|th|er|º|°)?[\\s.-]*(?:of |de |d['’])?\\s?${word}\\.?,?[\\s-]*(?:de |del )?${year}(?!\\d)`,
  'gu',
)
/** May 4, 2026. */
const monthFirst = new RegExp(`(?<!\\p{L})${word}\\.?\\s${day}(?:st|nd|rd|th)?,?\\s+${year}(?!\\d)`, 'gu')
/** 04.05.2026, 4/5/2026, 04-05-2026, 4. 5. 2026, and with dots and two digits, 04.05.26. */
const numeric = new RegExp(`(?<![\\d.])${day}(\\.\\s?|/|-)${day}\\2(?:${year}|(\\d\\d)(?![\\d.:]))`, 'gu')

/** A year, or a date with two digits for it. */
const mayBeDate = /(?:19|20)\d\d|\d\.\s?\d{1,2}\.\s?\d\d/
/** Characters of a text that are searched. */
const maxLength = 500

/**
 * Returns the first date in a text, in any of the languages above. '4/5/2026' is in the order of the page's `language`
 * (BCP 47, lower case); null where that does not tell.
 */
export function dateIn(text: string, language: string): WrittenDate | null {
  const start = text.slice(0, maxLength)
  if (!mayBeDate.test(start)) return null
  const found = [
    ...[...start.matchAll(yearFirst)].map((match) => at(match, match[1], Number(match[2]) - 1, match[3])),
    ...[...start.matchAll(dayFirst)].map((match) => at(match, match[3], monthOf(match[2]), match[1])),
    ...[...start.matchAll(monthFirst)].map((match) => at(match, match[3], monthOf(match[1]), match[2])),
    ...[...start.matchAll(numeric)].map((match) => numericDate(match, language)),
  ].filter((date) => date !== null)
  return found.toSorted((first, second) => first.index - second.index)[0] ?? null
}

function monthOf(name: string | undefined): number {
  return months.get(normalized(name ?? '')) ?? Number.NaN
}

function numericDate(match: RegExpExecArray, language: string): WrittenDate | null {
  const [, first = '', separator = '', second = '', longYear, shortYear] = match
  if (!longYear && !separator.startsWith('.')) return null
  const fullYear = longYear ?? `20${shortYear}`
  const isMonthFirst = Number(second) > 12
  if (separator.startsWith('.') || Number(first) > 12) return at(match, fullYear, Number(second) - 1, first)
  if (isMonthFirst || language === 'en-us') return at(match, fullYear, Number(first) - 1, second)
  // In English, the order depends on the country; without a language, nothing tells.
  return /^(?:en)?$/.test(language) && first !== second ? null : at(match, fullYear, Number(second) - 1, first)
}

function at(match: RegExpExecArray, yearText = '', month: number, dayText = ''): WrittenDate | null {
  const date = new Date(Date.UTC(Number(yearText), month, Number(dayText)))
  // A day that does not exist, such as 31 April, becomes one of the next month.
  const exists = date.getUTCMonth() === month && date.getUTCDate() === Number(dayText)
  return exists ? { time: date.getTime(), index: match.index, length: match[0].length } : null
}
