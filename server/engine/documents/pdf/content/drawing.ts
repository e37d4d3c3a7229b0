import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api'
import { pdfOperations } from '../pdfjs'
import type { PdfSpan } from './span'

/** What a page draws, as far as its text is concerned. */
export interface PdfDrawing {
  /** Share of the page that images cover; more than 1 if they overlap. */
  imageCoverage: number
  /** Characters in the order of the file, without white space. */
  text: string
  /** Offsets in `text` at which visibility changes; it starts visible. */
  visibilityChanges: number[]
}

/** A glyph in pdfjs's operator list. */
interface Glyph {
  unicode?: unknown
}

type Matrix = readonly [number, number, number, number]

/** The text rendering mode that neither fills, strokes nor clips (ISO 32000-1, 9.3.6). */
const invisibleMode = 3
/** Invisible characters of a page that are kept; programs sign pages like this. */
const maxSignatureLength = 40
/** Characters of `text` that may be skipped between two runs; text outside the page has no run. */
const maxSkipped = 5_000
const emptyDrawing: PdfDrawing = { imageCoverage: 0, text: '', visibilityChanges: [] }

/**
 * Lists what a page draws. pdfjs does not decode images here; an image shows up as a transformed unit square in which
 * nothing else is drawn.
 */
export async function readDrawing(page: PDFPageProxy): Promise<PdfDrawing> {
  const operations = await pdfOperations()
  const list = await page.getOperatorList().catch(() => null)
  if (!list) return emptyDrawing
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  const reader = createDrawing(operations)
  for (const [index, operation] of list.fnArray.entries()) {
    // Annotations come after the content of the page.
    if (operation === operations.beginAnnotation) break
    reader.take(operation, list.argsArray[index])
  }
  return reader.end(Math.abs((right - left) * (top - bottom)))
}

function createDrawing(operations: Record<string, number>) {
  const texts: string[] = []
  const visibilityChanges: number[] = []
  const stack: { matrix: Matrix; mode: number }[] = []
  let matrix: Matrix = [1, 0, 0, 1]
  let mode = 0
  let length = 0
  let isVisible = true
  let covered = 0
  /** Area of the current unit square, until something else is drawn in it. */
  let openArea = 0

  function write(glyphs: unknown): void {
    if (!Array.isArray(glyphs)) return
    const text = withoutSpace(glyphs.map((glyph: Glyph | null) => String(glyph?.unicode ?? '')).join(''))
    if (text === '') return
    if (isVisible !== (mode !== invisibleMode)) visibilityChanges.push(length)
    isVisible = mode !== invisibleMode
    texts.push(text)
    length += text.length
  }

  function transform(by: unknown): void {
    matrix = multiplied(matrix, by)
    openArea = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
  }

  function close(): void {
    covered += openArea
    openArea = 0
  }

  function restore(): void {
    close()
    const last = stack.pop()
    if (last) ({ matrix, mode } = last)
  }

  return {
    take(operation: number, args: unknown): void {
      const values: unknown[] = Array.isArray(args) ? args : []
      switch (operation) {
        case operations.save:
          stack.push({ matrix, mode })
          break
        case operations.restore:
        case operations.paintFormXObjectEnd:
          restore()
          break
        case operations.paintFormXObjectBegin:
          stack.push({ matrix, mode })
          matrix = multiplied(matrix, values[0])
          openArea = 0
          break
        case operations.transform:
          transform(values)
          break
        case operations.setTextRenderingMode:
          mode = Number(values[0])
          break
        case operations.showText:
          write(values[0])
          openArea = 0
          break
        case operations.constructPath:
          // A path may just be a clipping path.
          if (values[0] !== operations.endPath) openArea = 0
          break
        case operations.shadingFill:
          openArea = 0
          break
      }
    },
    end(area: number): PdfDrawing {
      close()
      return { imageCoverage: area > 0 ? covered / area : 0, text: texts.join(''), visibilityChanges }
    },
  }
}

function multiplied([a, b, c, d]: Matrix, by: unknown): Matrix {
  const [e, f, g, h] = ArrayBuffer.isView(by) || Array.isArray(by) ? Array.from(by as number[], Number) : []
  if (e === undefined || f === undefined || g === undefined || h === undefined) return [a, b, c, d]
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h]
}

/** Removes white space and the format characters that pdfjs omits. */
function withoutSpace(text: string): string {
  return text.replace(/[\s\p{Cf}]+/gu, '')
}

/**
 * Removes the invisible characters from the runs of a page, which are in the order of the file. A page with only
 * invisible text, or with hardly any, is returned unchanged.
 */
export function visibleSpans(spans: PdfSpan[], { text, visibilityChanges }: PdfDrawing): PdfSpan[] {
  const hidden = countInvisible(text, visibilityChanges)
  if (hidden <= maxSignatureLength || hidden === text.length) return spans
  let position = 0
  let change = 0
  const isVisibleAt = (place: number) => {
    while (change < visibilityChanges.length && (visibilityChanges[change] ?? 0) <= place) change += 1
    return change % 2 === 0
  }
  return spans.flatMap((span) => {
    const own = withoutSpace(span.text)
    // In right-to-left runs the characters are in another order.
    const ahead = span.isRightToLeft ? 0 : text.slice(position, position + maxSkipped + own.length).indexOf(own)
    if (ahead < 0) return [span]
    position += ahead
    let seen = ''
    for (const character of span.text) {
      if (withoutSpace(character) === '') seen += character
      else {
        if (isVisibleAt(position)) seen += character
        position += character.length
      }
    }
    return seen.trim() === '' ? [] : [{ ...span, text: seen }]
  })
}

function countInvisible(text: string, visibilityChanges: number[]): number {
  return visibilityChanges.reduce(
    (sum, place, change) => sum + (change % 2 === 0 ? (visibilityChanges[change + 1] ?? text.length) - place : 0),
    0,
  )
}
