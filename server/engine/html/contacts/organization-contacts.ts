import { cleanText } from '../dom/text'
import { isRecord } from '../is-record'
import { typesOf } from '../structured-data/json-ld'
import type { ContactKind } from './contact-labels'

export interface ContactFact {
  kind: ContactKind
  value: string
}

/** Properties that lead from a page or a site to its organization. */
const organizationProperties = [
  '@graph',
  'mainEntity',
  'about',
  'publisher',
  'provider',
  'brand',
  'contactPoint',
  'department',
]
const organizationTypes =
  /organization|business|corporation|store|restaurant|hotel|place|agency|shop|library|museum|clinic|dentist|physician/
const maxDepth = 4
const maxThings = 50
/** Values of one property, and facts of a page. */
const maxValues = 20
const maxFacts = 200
const maxValueLength = 200
const weekdays = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']

/** Returns the contacts of organizations in JSON-LD: telephone, e-mail, address and opening hours. */
export function organizationContacts(jsonLd: unknown[], language: string): ContactFact[] {
  const facts: ContactFact[] = []
  let things = 0

  function visit(value: unknown, depth: number): void {
    if (depth > maxDepth || things >= maxThings) return
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1)
    if (!isRecord(value)) return
    things++
    if (isOrganization(value)) facts.push(...factsOf(value, language))
    for (const name of organizationProperties) visit(value[name], depth + 1)
  }

  visit(jsonLd, 0)
  return facts.filter(({ value }) => value !== '').slice(0, maxFacts)
}

function isOrganization(thing: Record<string, unknown>): boolean {
  return typesOf(thing).some((type) => organizationTypes.test(type) || type === 'contactpoint')
}

function factsOf(thing: Record<string, unknown>, language: string): ContactFact[] {
  return [
    ...valuesOf(thing.telephone).map((value) => ({ kind: 'telephone' as const, value: plainText(value) })),
    ...valuesOf(thing.email).map((value) => ({
      kind: 'mail' as const,
      value: plainText(value).replace(/^mailto:/i, ''),
    })),
    ...valuesOf(thing.address).map((value) => ({ kind: 'address' as const, value: addressOf(value) })),
    { kind: 'hours', value: hoursOf(thing, language) },
  ]
}

function valuesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, maxValues) : [value]
}

function addressOf(value: unknown): string {
  if (!isRecord(value)) return plainText(value)
  const city = [value.postalCode, value.addressLocality].map(plainText).filter(Boolean).join(' ')
  const parts = [plainText(value.streetAddress), city, plainText(value.addressRegion), nameOf(value.addressCountry)]
  return city || parts[0] ? [...new Set(parts.filter(Boolean))].join(', ') : ''
}

function hoursOf(thing: Record<string, unknown>, language: string): string {
  const named = valuesOf(thing.openingHours).map((value) => withDayNames(plainText(value), language))
  const specified = valuesOf(thing.openingHoursSpecification).map((value) => specifiedHours(value, language))
  return [...new Set([...named, ...specified].filter(Boolean))].join('; ').slice(0, maxValueLength * 2)
}

/** Returns 'Monday–Friday 09:00-17:00' for 'Mo-Fr 09:00-17:00'. */
function withDayNames(hours: string, language: string): string {
  return hours.replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su)\b/g, (day) => dayName(day, language))
}

function specifiedHours(value: unknown, language: string): string {
  if (!isRecord(value)) return ''
  const days = valuesOf(value.dayOfWeek).map(
    (day) =>
      plainText(isRecord(day) ? day.name : day)
        .split('/')
        .at(-1) ?? '',
  )
  const opens = timeOf(value.opens)
  const closes = timeOf(value.closes)
  if (!opens || !closes) return ''
  return [days.map((day) => dayName(day, language)).join(', '), `${opens}–${closes}`].filter(Boolean).join(' ')
}

function timeOf(value: unknown): string {
  return /^\d{1,2}:\d\d/.exec(plainText(value))?.[0] ?? ''
}

function dayName(day: string, language: string): string {
  const position = weekdays.indexOf(day.slice(0, 2).toLowerCase())
  if (position < 0) return day
  // 1 January 2024 was a Monday.
  const date = new Date(Date.UTC(2024, 0, position + 1))
  try {
    return new Intl.DateTimeFormat(language || 'en', { weekday: 'long', timeZone: 'UTC' }).format(date)
  } catch {
    return new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(date)
  }
}

function nameOf(value: unknown): string {
  return plainText(isRecord(value) ? value.name : value)
}

function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? cleanText(String(value)).replaceAll('\n', ', ').slice(0, maxValueLength)
    : ''
}
