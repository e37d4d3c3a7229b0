import { inFrame, type PdfSpan } from '../content/span'
import { cleanLine } from '../normalize-text'
import type { PdfPage } from '../page'

/** The parts of a page's height in which running heads and page numbers stand. */
const edge = 0.15
/** Rows at one edge that may be running. */
const mostRows = 4
const mostNumbers = 4
const wordsOfNumbers = new Set(['page', 'seite', 'of', 'von', 'am', 'pm', 'uhr'])

/** Remembers what stands at the edges of pages. */
export interface RunningLines {
  /** Takes note of a page. */
  note(page: PdfPage): void
  /**
   * The page without page numbers and running heads: what repeats at the edges of pages, apart from a number that counts
   * them. The first place of a running head is kept, so that what is said only there is found; of dates and addresses
   * that were printed there nothing is.
   */
  drop(page: PdfPage): PdfPage
}

/** Running heads of a file with so many pages. */
export function createRunningLines(pages: number): RunningLines {
  const seen = new Map<string, number>()
  const kept = new Set<string>()
  /** Heads may differ on left and right pages. */
  const enough = pages < 6 ? 2 : 3

  function note(page: PdfPage): void {
    const keys = edgesOf(page).flatMap((rows) => rows.flatMap((row) => keysOf(row, page.number)))
    for (const key of new Set(keys)) seen.set(key, (seen.get(key) ?? 0) + 1)
  }

  function drop(page: PdfPage): PdfPage {
    const dropped = new Set<PdfSpan>()
    for (const rows of edgesOf(page)) {
      for (const row of rows) {
        const key = keysOf(row, page.number).find((one) => (seen.get(one) ?? 0) >= enough)
        if (key === undefined) break
        // What a browser or an office program prints around the text says nothing of it.
        const isNumber = !/\p{L}/u.test(key)
        const gone = isNumber || kept.has(key) ? row : partsOf(row).filter(saysNothing).flat()
        for (const span of gone) dropped.add(span)
        kept.add(key)
      }
    }
    const spans = page.spans.filter((span) => !dropped.has(span))
    // A page with nothing else is not made empty.
    return spans.length === 0 ? page : { ...page, spans }
  }

  return { note, drop }
}

/** The rows at the top, from the top on, and at the bottom, from the bottom on. */
function edgesOf({ spans, corners }: PdfPage): PdfSpan[][][] {
  const angle = mainAngle(spans)
  const [first, second] = corners.map((corner) => inFrame(corner, angle)[1])
  const top = Math.min(first ?? 0, second ?? 0)
  const height = Math.abs((first ?? 0) - (second ?? 0))
  const upright = spans.filter((span) => span.angle === angle)
  const isTop = (span: PdfSpan) => span.y < top + edge * height
  const isBottom = (span: PdfSpan) => span.y > top + (1 - edge) * height
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
    else if (rows.length === mostRows) break
    else rows.push([span])
  }
  return rows
}

/** What stands apart in a row. */
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

/** Numbers, dates, times and addresses, and the words that stand beside the numbers of pages. */
function saysNothing(part: PdfSpan[]): boolean {
  const text = cleanLine(part.map((span) => span.text).join(''))
  const rest = text.replace(/^\s*(?:file|https?):\/\/\S+/i, '').toLowerCase()
  return (rest.match(/\p{L}+/gu) ?? []).every((word) => wordsOfNumbers.has(word))
}

/** The row's text, and the text with each of its numbers told by its distance from the page's own. */
function keysOf(row: PdfSpan[], page: number): string[] {
  const words = [...row].sort((a, b) => a.left - b.left).map((span) => span.text)
  const text = cleanLine(words.join(' ')).toLowerCase().replace(/\s+/g, '').slice(0, 200)
  const keys = [text]
  for (const { 0: number, index } of [...text.matchAll(/\d+/g)].slice(0, mostNumbers)) {
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

/** The direction in which most of the text runs. */
export function mainAngle(spans: PdfSpan[]): number {
  const lengths = new Map<number, number>()
  for (const { angle, text } of spans) lengths.set(angle, (lengths.get(angle) ?? 0) + text.length)
  return [...lengths].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}
