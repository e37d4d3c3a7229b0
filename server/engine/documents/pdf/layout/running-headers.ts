import { type PdfSpan, toFrame } from '../content/span'
import { cleanLine } from '../normalize-text'
import type { PdfPage } from '../page'

/** Share of a page's height, at the top and at the bottom, with running headers and page numbers. */
const edgeShare = 0.15
/** Rows at an edge, and numbers in a row, that are examined. */
const maxRows = 4
const maxNumbers = 4
const pageNumberWords = new Set(['page', 'seite', 'of', 'von', 'am', 'pm', 'uhr'])

/** Finds lines that repeat at the edges of pages. */
export interface RunningLines {
  /** Counts the lines at the edges of a page. */
  record(page: PdfPage): void
  /**
   * Returns the page without page numbers and running headers: lines that repeat at the edges of pages, except for a
   * page number. The first occurrence of a header is kept, so that its text is found, but not its dates and addresses,
   * which printing adds.
   */
  remove(page: PdfPage): PdfPage
}

/** Finds the running headers of a file with `pages` pages. */
export function createRunningLines(pages: number): RunningLines {
  const seen = new Map<string, number>()
  const firstSeen = new Set<string>()
  /** Pages with the same line; left and right pages may have different headers. */
  const minPages = pages < 6 ? 2 : 3

  function record(page: PdfPage): void {
    const keys = edgesOf(page).flatMap((rows) => rows.flatMap((row) => keysOf(row, page.number)))
    for (const key of new Set(keys)) seen.set(key, (seen.get(key) ?? 0) + 1)
  }

  function remove(page: PdfPage): PdfPage {
    const dropped = new Set<PdfSpan>()
    for (const rows of edgesOf(page)) {
      for (const row of rows) {
        const key = keysOf(row, page.number).find((text) => (seen.get(text) ?? 0) >= minPages)
        if (key === undefined) break
        // What a browser or a word processor prints around the text is not content.
        const isNumber = !/\p{L}/u.test(key)
        const removed = isNumber || firstSeen.has(key) ? row : partsOf(row).filter(isPrintedNote).flat()
        for (const span of removed) dropped.add(span)
        firstSeen.add(key)
      }
    }
    const spans = page.spans.filter((span) => !dropped.has(span))
    // Never empties a page.
    return spans.length === 0 ? page : { ...page, spans }
  }

  return { record, remove }
}

/** Returns the rows at the top, from the top down, and at the bottom, from the bottom up. */
function edgesOf({ spans, corners }: PdfPage): PdfSpan[][][] {
  const angle = mainAngle(spans)
  const [first, second] = corners.map((corner) => toFrame(corner, angle)[1])
  const top = Math.min(first ?? 0, second ?? 0)
  const height = Math.abs((first ?? 0) - (second ?? 0))
  const upright = spans.filter((span) => span.angle === angle)
  const isTop = (span: PdfSpan) => span.y < top + edgeShare * height
  const isBottom = (span: PdfSpan) => span.y > top + (1 - edgeShare) * height
  return [
    rowsOf(upright.filter(isTop).sort((a, b) => a.y - b.y)),
    rowsOf(upright.filter(isBottom).sort((a, b) => b.y - a.y)),
  ]
}

function rowsOf(sorted: PdfSpan[]): PdfSpan[][] {
  const rows: PdfSpan[][] = []
  for (const span of sorted) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].y - span.y) < 0.4 * span.size) row.push(span)
    else if (rows.length === maxRows) break
    else rows.push([span])
  }
  return rows
}

/** Splits a row at gaps. */
function partsOf(row: PdfSpan[]): PdfSpan[][] {
  const parts: PdfSpan[][] = []
  for (const span of [...row].sort((a, b) => a.left - b.left)) {
    const part = parts.at(-1)
    const before = part?.at(-1)
    if (part && before && span.left - before.right <= span.size) part.push(span)
    else parts.push([span])
  }
  return parts
}

/** Whether a part is only numbers, dates, times and addresses, with words such as 'page'. */
function isPrintedNote(part: PdfSpan[]): boolean {
  const text = cleanLine(part.map((span) => span.text).join(''))
  const rest = text.replace(/^\s*(?:file|https?):\/\/\S+/i, '').toLowerCase()
  return (rest.match(/\p{L}+/gu) ?? []).every((word) => pageNumberWords.has(word))
}

/** Returns the row's text, and variants in which one number is replaced by its difference to the page number. */
function keysOf(row: PdfSpan[], page: number): string[] {
  const words = [...row].sort((a, b) => a.left - b.left).map((span) => span.text)
  const text = cleanLine(words.join(' ')).toLowerCase().replace(/\s+/g, '').slice(0, 200)
  const keys = [text]
  for (const { 0: number, index } of [...text.matchAll(/\d+/g)].slice(0, maxNumbers)) {
    keys.push(`${text.slice(0, index)}#${Number(number) - page}#${text.slice(index + number.length)}`)
  }
  const roman = /^\P{L}*([ivxlc]+)\P{L}*$/u.exec(text)?.[1]
  if (roman) keys.push(`#${romanNumber(roman) - page}#`)
  return keys
}

const romanDigits: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

function romanNumber(roman: string): number {
  const digits = [...roman].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, n) => sum + (digit < (digits[n + 1] ?? 0) ? -digit : digit), 0)
}

/** Returns the direction of most of the text. */
export function mainAngle(spans: PdfSpan[]): number {
  const lengths = new Map<number, number>()
  for (const { angle, text } of spans) lengths.set(angle, (lengths.get(angle) ?? 0) + text.length)
  return [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}
