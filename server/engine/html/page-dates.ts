import { attributeOf } from './dom/element'
import type { ParsedPage } from './dom/parse'
import { isRecord } from './is-record'

/** Dates of a page in milliseconds since 1970; null if the page does not say. */
export interface PageDates {
  publishedAt: number | null
  modifiedAt: number | null
}

/** Names of meta elements, most reliable first. */
const published =
  'article:published_time og:article:published_time datepublished dc.date.issued dcterms.issued dcterms.created dc.date.created citation_publication_date parsely-pub-date pubdate publishdate date dc.date'.split(
    ' ',
  )
const modified =
  'article:modified_time og:updated_time datemodified dc.date.modified dcterms.modified last-modified lastmod revised'.split(
    ' ',
  )

/** Types of structured data whose dates are those of the page. */
const pages =
  /(article|posting|webpage|itempage|faqpage|qapage|collectionpage|aboutpage|recipe|howto|report|review|book|course|dataset|video\w*|question|softwareapplication|creativework)$/i
/** Depth of structured data that is searched, and values that are read. */
const maxDepth = 6
const maxValues = 2_000

/** Returns when a page was published and last modified, by its metadata, its structured data and its time elements. */
export function datesOf(page: ParsedPage, metas: ReadonlyMap<string, string>, jsonLd: unknown[]): PageDates {
  const found = { published: [] as unknown[], modified: [] as unknown[] }
  for (const name of published) found.published.push(metas.get(name))
  for (const name of modified) found.modified.push(metas.get(name))
  gatherDates(jsonLd, found)
  for (const time of page.times) {
    const value = attributeOf(time, 'datetime')
    const role = attributeOf(time, 'itemprop')
    if (role === 'datePublished' || attributeOf(time, 'pubdate') !== null) found.published.push(value)
    if (role === 'dateModified') found.modified.push(value)
  }
  return { publishedAt: firstTime(found.published), modifiedAt: firstTime(found.modified) }
}

function gatherDates(jsonLd: unknown[], found: { published: unknown[]; modified: unknown[] }): void {
  let values = 0
  function walk(value: unknown, depth: number): void {
    if (depth > maxDepth || ++values > maxValues) return
    if (Array.isArray(value)) for (const item of value) walk(item, depth + 1)
    else if (isRecord(value)) {
      if ([value['@type']].flat().some((type) => typeof type === 'string' && pages.test(type))) {
        found.published.push(value.datePublished, value.dateCreated, value.uploadDate)
        found.modified.push(value.dateModified)
      }
      for (const inner of ['@graph', 'mainEntity', 'mainEntityOfPage']) walk(value[inner], depth + 1)
    }
  }
  walk(jsonLd, 0)
}

function firstTime(values: unknown[]): number | null {
  for (const value of values) {
    const time = typeof value === 'string' ? parseDate(value) : null
    if (time !== null) return time
  }
  return null
}

const iso =
  /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d|[+-]\d\d(?!\d))?)?/i
const earliest = Date.UTC(1990, 0, 1)
const day = 24 * 3600 * 1000

/**
 * Parses a date of ISO 8601 or RFC 822 (as in mail and HTTP) into milliseconds since 1970. Without a zone it is UTC.
 * Returns null for dates before 1990 or after tomorrow.
 */
export function parseDate(text: string, now = Date.now()): number | null {
  const time = iso.test(text)
    ? parseIsoDate(text)
    : /^[a-z]{3}, \d{1,2} [a-z]{3} \d{4} \d\d:/i.test(text)
      ? Date.parse(text)
      : Number.NaN
  return time >= earliest && time <= now + day ? time : null
}

function parseIsoDate(text: string): number {
  const [, year, month, dayOfMonth, hour = '00', minute = '00', second = '00', zone = 'Z'] = iso.exec(text) ?? []
  const digits = zone.replace(/\D/g, '')
  const offset = digits === '' ? 'Z' : `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`
  return Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}${offset}`)
}
