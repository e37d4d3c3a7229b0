import { leastOf, mostOf, type PdfSpan } from '../content/span'
import type { PdfFonts } from '../fonts/fonts'

/** Words on one line that stand together, without a gap as between columns. */
export interface PdfPiece {
  text: string
  left: number
  right: number
  y: number
  size: number
  isBold: boolean
  isRightToLeft: boolean
  /** What the file's tags make of all of it. */
  role: string
}

/** In sizes of the text: a wider gap is a column's or a cell's. */
const widestSpace = 1
/** A marker of a list may stand so far before its item. */
const widestIndent = 4
/** Narrower than a space, wider than what is moved together or apart for looks. */
const narrowestSpace = 0.13
const marker = /^(?:[\p{Po}\p{Pd}\p{S}\p{Co}]|[([]?(?:\d{1,3}|\p{L}|[ivx]{1,4})[.)\]])$/u

/** Joins the runs of one frame into pieces of lines. */
export function piecesOf(spans: PdfSpan[], fonts: PdfFonts): PdfPiece[] {
  return linesOf(spans).flatMap((line) => joinLine(line, fonts))
}

/** Runs whose baselines are the same, or that are raised or lowered a little against a larger neighbour. */
function linesOf(spans: PdfSpan[]): PdfSpan[][] {
  const lines: PdfSpan[][] = []
  const sorted = [...spans].sort((a, b) => a.y - b.y)
  let line: PdfSpan[] = []
  let base = Number.NEGATIVE_INFINITY
  let size = 0
  for (const span of sorted) {
    if (line.length > 0 && span.y - base <= furthest(size, span.size)) {
      line.push(span)
      // The largest text of a line holds its baseline.
      if (span.size > size) {
        base = span.y
        size = span.size
      }
      continue
    }
    line = [span]
    lines.push(line)
    base = span.y
    size = span.size
  }
  return lines
}

/** What is raised or lowered is smaller. */
function furthest(size: number, other: number): number {
  const larger = Math.max(size, other)
  return Math.min(size, other) < 0.9 * larger ? 0.45 * larger : 0.3 * larger
}

function joinLine(line: PdfSpan[], fonts: PdfFonts): PdfPiece[] {
  const order = new Map(line.map((span, index) => [span, index]))
  line.sort((a, b) => a.left - b.left || (order.get(a) ?? 0) - (order.get(b) ?? 0))
  const groups: PdfSpan[][] = []
  let right = Number.NEGATIVE_INFINITY
  for (const whole of line) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    let span = whole
    if (group && before) {
      if (isDrawnTwice(before, whole)) continue
      span = behind(before, whole)
      const size = Math.max(before.size, span.size)
      const widest = group.length === 1 && marker.test(before.text.trim()) ? widestIndent : widestSpace
      if (span.left - right <= widest * size) {
        group.push(span)
        right = Math.max(right, span.right)
        continue
      }
    }
    groups.push([span])
    right = Math.max(right, span.right)
  }
  return groups.map((group) => pieceOf(group, fonts))
}

/** Bold letters are made by drawing them twice, a little apart. */
function isDrawnTwice(before: PdfSpan, span: PdfSpan): boolean {
  const near = 0.2 * span.size
  return (
    before.text.trim() === span.text.trim() &&
    Math.abs(before.left - span.left) < near &&
    Math.abs(before.y - span.y) < near &&
    before.right - before.left > near
  )
}

/** What is left of a run that begins with the end of the one before, drawn once more. */
function behind(before: PdfSpan, span: PdfSpan): PdfSpan {
  const over = before.right - span.left
  const each = (span.right - span.left) / span.text.length
  const near = 0.2 * span.size
  if (over < near || Math.abs(before.y - span.y) > near || span.isRightToLeft) return span
  const about = Math.round(over / each)
  const count = [about, about - 1, about + 1].find(
    (one) => one > 0 && one < span.text.length && before.text.endsWith(span.text.slice(0, one)),
  )
  return count ? { ...span, text: span.text.slice(count), left: before.right, follows: true, afterSpace: false } : span
}

function pieceOf(group: PdfSpan[], fonts: PdfFonts): PdfPiece {
  const letters = (of: (span: PdfSpan) => boolean) =>
    group.reduce((sum, span) => sum + (of(span) ? span.text.length : 0), 0)
  const all = letters(() => true)
  const isRightToLeft = letters((span) => span.isRightToLeft) * 2 > all
  const largest = group.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  const role = group[0]?.role ?? ''
  return {
    text: textOf(isRightToLeft ? [...group].reverse() : group, isRightToLeft),
    left: leastOf(group, (span) => span.left),
    right: mostOf(group, (span) => span.right),
    y: largest.y,
    size: largest.size,
    isBold: letters((span) => fonts.get(span.font)?.isBold ?? false) > 0.8 * all,
    isRightToLeft,
    role: group.every((span) => span.role === role) ? role : '',
  }
}

function textOf(group: PdfSpan[], isRightToLeft: boolean): string {
  let text = ''
  let before: PdfSpan | undefined
  for (const span of group) {
    if (before) {
      const gap = isRightToLeft ? before.left - span.right : span.left - before.right
      // In the file's own order pdfjs has told spaces from the glyphs.
      const isNext = span.order === before.order + 1 || span.order < 0
      const needed = isNext && span.follows ? 2 * narrowestSpace : narrowestSpace
      const isApart = (isNext && span.afterSpace) || gap > needed * Math.min(before.size, span.size)
      if (isApart && !/^\p{M}/u.test(span.text)) text += ' '
    }
    text += span.text
    before = span
  }
  return text
}
