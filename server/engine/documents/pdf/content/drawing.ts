import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { pdfOperations } from '../pdfjs'
import type { PdfSpan } from './span'

/** What a page draws, as far as its text is concerned. */
export interface PdfDrawing {
  /** Share of the page that its images cover; more than 1 where they lie over each other. */
  images: number
  /** The characters that it writes, without white space, in the order of the file. */
  text: string
  /** Where that text begins to be invisible or to be seen, in turns; it begins as seen. */
  turns: number[]
}

/** Of the glyphs that pdfjs is to draw. */
interface Glyph {
  unicode?: unknown
}

type Matrix = readonly [number, number, number, number]

/** The rendering mode in which letters are neither filled nor drawn, nor cut out of what is painted (ISO 32000-1, 9.3.6). */
const invisible = 3
/** Invisible characters of a page up to which they are left alone: programs sign pages so. */
const signature = 40
/** Characters between two runs of a page that are told apart: what is outside of it is not among its runs. */
const farthest = 5_000
const nothing: PdfDrawing = { images: 0, text: '', turns: [] }

/**
 * Lists what a page draws. pdfjs leaves its images out; what is left of one is the square that it was to fill, in which
 * nothing is drawn.
 */
export async function drawingOf(page: PDFPageProxy): Promise<PdfDrawing> {
  const operations = await pdfOperations()
  const list = await page.getOperatorList().catch(() => null)
  if (!list) return nothing
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  const reader = createDrawing(operations)
  for (const [at, operation] of list.fnArray.entries()) {
    // The page itself ends where what is laid over it begins.
    if (operation === operations.beginAnnotation) break
    reader.take(operation, list.argsArray[at])
  }
  return reader.end(Math.abs((right - left) * (top - bottom)))
}

function createDrawing(operations: Record<string, number>) {
  const texts: string[] = []
  const turns: number[] = []
  const outer: { matrix: Matrix; mode: number }[] = []
  let matrix: Matrix = [1, 0, 0, 1]
  let mode = 0
  let length = 0
  let isSeen = true
  let covered = 0
  /** Of the square that waits for what is drawn in it. */
  let open = 0

  function write(glyphs: unknown): void {
    if (!Array.isArray(glyphs)) return
    const text = solid(glyphs.map((glyph: Glyph | null) => String(glyph?.unicode ?? '')).join(''))
    if (text === '') return
    if (isSeen !== (mode !== invisible)) turns.push(length)
    isSeen = mode !== invisible
    texts.push(text)
    length += text.length
  }

  function transform(by: unknown): void {
    matrix = multiplied(matrix, by)
    open = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
  }

  function close(): void {
    covered += open
    open = 0
  }

  function restore(): void {
    close()
    const last = outer.pop()
    if (last) ({ matrix, mode } = last)
  }

  return {
    take(operation: number, args: unknown): void {
      const values: unknown[] = Array.isArray(args) ? args : []
      switch (operation) {
        case operations.save:
          outer.push({ matrix, mode })
          break
        case operations.restore:
        case operations.paintFormXObjectEnd:
          restore()
          break
        case operations.paintFormXObjectBegin:
          outer.push({ matrix, mode })
          matrix = multiplied(matrix, values[0])
          open = 0
          break
        case operations.transform:
          transform(values)
          break
        case operations.setTextRenderingMode:
          mode = Number(values[0])
          break
        case operations.showText:
          write(values[0])
          open = 0
          break
        case operations.constructPath:
          // A path may only bound what is drawn.
          if (values[0] !== operations.endPath) open = 0
          break
        case operations.shadingFill:
          open = 0
          break
      }
    },
    end(area: number): PdfDrawing {
      close()
      return { images: area > 0 ? covered / area : 0, text: texts.join(''), turns }
    },
  }
}

function multiplied([a, b, c, d]: Matrix, by: unknown): Matrix {
  const [e, f, g, h] = ArrayBuffer.isView(by) || Array.isArray(by) ? Array.from(by as number[], Number) : []
  if (e === undefined || f === undefined || g === undefined || h === undefined) return [a, b, c, d]
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}

/** Without white space and the characters that pdfjs tells of no text. */
function solid(text: string): string {
  return text.replace(/[\s\p{Cf}]+/gu, '')
}

/**
 * The runs of a page, in the order of the file, without the letters that it writes so that nobody sees them. A page that
 * writes all of its text so, and one that hides no more than a line, is left as it is.
 */
export function seenSpans(spans: PdfSpan[], { text, turns }: PdfDrawing): PdfSpan[] {
  const hidden = unseenIn(text, turns)
  if (hidden <= signature || hidden === text.length) return spans
  let at = 0
  let turn = 0
  const isSeenAt = (place: number) => {
    while (turn < turns.length && (turns[turn] ?? 0) <= place) turn += 1
    return turn % 2 === 0
  }
  return spans.flatMap((span) => {
    const own = solid(span.text)
    // Of text that runs to the left the letters are told in another order.
    const ahead = span.isRightToLeft ? 0 : text.slice(at, at + farthest + own.length).indexOf(own)
    if (ahead < 0) return [span]
    at += ahead
    let seen = ''
    for (const character of span.text) {
      if (solid(character) === '') seen += character
      else {
        if (isSeenAt(at)) seen += character
        at += character.length
      }
    }
    return seen.trim() === '' ? [] : [{ ...span, text: seen }]
  })
}

/** How many characters are invisible. */
function unseenIn(text: string, turns: number[]): number {
  return turns.reduce((sum, place, turn) => sum + (turn % 2 === 0 ? (turns[turn + 1] ?? text.length) - place : 0), 0)
}
