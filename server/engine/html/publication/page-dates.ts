import { countWords } from '../content/prose'
import { attributeOf, type PageElement } from '../dom/element'
import { isInline } from '../dom/inline'
import type { ParsedPage } from '../dom/parse'
import { textOf } from '../dom/text'
import { isRecord } from '../is-record'
import { dateIn } from './written-dates'

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

/** Words before a date of a change, in the languages in which dates are read. */
const changeWords =
  /(?:updated?|modified|revised|last change|aktuali[sz]|geändert|bearbeitet|überarbeitet|stand\s*:|mis à jour|mise à jour|modifi[ée]|actualiza|aggiorna|atualiza|bijgewerkt|gewijzigd|zaktualiz|zmodyfik|uppdater|opdater|oppdater|aktualizov|zmeněn|päivitetty|frissít|actualizat|обновл|измен|оновл|güncell|更新|修订|수정|업데이트)/iu
/** Words of a line with a date that is not one of the page. */
const otherDates = /©|copyright|\(c\)|until|deadline|bis zum|jusqu|hasta|fino al|since|seit |depuis/iu
/** Characters of a line beside a date: a name, topics, or how long reading takes. */
const maxLineLength = 100

/** Characters of a box with a date; a longer one is prose. */
const maxBlockLength = 400

const proseElements = new Set(['p', 'li', 'dd', 'blockquote'])

/** A page whose dates are looked for. */
export interface DatedPage {
  page: ParsedPage
  metas: ReadonlyMap<string, string>
  jsonLd: unknown[]
  /** Elements that may have its byline, the most likely first. */
  byline: readonly PageElement[]
  /** BCP 47, lower case. */
  language: string
  url: string
}

/**
 * Returns when a page was published and last modified: by its metadata, its structured data and its time elements, else by
 * a date in its byline, else by its URL.
 */
export function datesOf({ page, metas, jsonLd, byline, language, url }: DatedPage): PageDates {
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
  const declared = { publishedAt: firstTime(found.published), modifiedAt: firstTime(found.modified) }
  if (declared.publishedAt !== null) return declared
  const seen = datesInByline(byline, language)
  return {
    publishedAt: seen.publishedAt ?? dateInUrl(url),
    modifiedAt: declared.modifiedAt ?? seen.modifiedAt,
  }
}

function datesInByline(byline: readonly PageElement[], language: string): PageDates {
  const dates: PageDates = { publishedAt: null, modifiedAt: null }
  for (const element of byline) {
    const time = element.name === 'time' ? parseDate(attributeOf(element, 'datetime') ?? '') : null
    const date = time ?? (hasOwnText(element) ? dateOfLine(textOf(element), language) : null)
    if (date === null) continue
    const around = lineAround(element)
    const line = textOf(around)
    if (time === null && proseElements.has(around.name) && isSentence(line)) continue
    if (changeWords.test(line.slice(0, maxLineLength)) && !hasTwoDates(line, language)) dates.modifiedAt ??= date
    else dates.publishedAt ??= date
    if (dates.publishedAt !== null) break
  }
  return dates
}

/** Returns the element whose text is the line that the element is a part of. */
function lineAround(element: PageElement): PageElement {
  let line = element
  while (line.parent && isInline(line)) line = line.parent
  return line
}

/** Whether a line is prose in which a date occurs. */
function isSentence(line: string): boolean {
  return line.length > maxBlockLength || (/[.!?]["”»)]?\s*$/.test(line) && countWords(line, 9) > 8)
}

/** Returns the date of a line that is about little else; null for a sentence with a date. */
function dateOfLine(line: string, language: string): number | null {
  if (otherDates.test(line)) return null
  const date = dateIn(line, language)
  if (date === null || line.length - date.length > maxLineLength) return null
  const before = line.slice(0, date.index)
  return isSentence(line) || countWords(before, 9) > 8 || !isPlausible(date.time) ? null : date.time
}

function hasTwoDates(line: string, language: string): boolean {
  const first = dateIn(line, language)
  return first !== null && dateIn(line.slice(first.index + first.length), language) !== null
}

function hasOwnText({ children }: PageElement): boolean {
  return children.some((child) => typeof child === 'string' && child.trim() !== '')
}

/** The day in a path such as '/2026/05/04/lanterns'. */
function dateInUrl(url: string): number | null {
  const [, year, month, day] =
    /\/((?:19|20)\d\d)[/-]([01]?\d)[/-]([0-3]?\d)(?:\/|[-_]\D)/.exec(new URL(url).pathname) ?? []
  return year && month && day ? parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`) : null
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
  return isPlausible(time, now) ? time : null
}

function isPlausible(time: number, now = Date.now()): boolean {
  return time >= earliest && time <= now + day
}

function parseIsoDate(text: string): number {
  const [, year, month, dayOfMonth, hour = '00', minute = '00', second = '00', zone = 'Z'] = iso.exec(text) ?? []
  const digits = zone.replace(/\D/g, '')
  // Midnight somewhere else means the day.
  const isDay = `${hour}${minute}` === '0000'
  const offset = digits === '' || isDay ? 'Z' : `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2) || '00'}`
  return Date.parse(`${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}${offset}`)
}
