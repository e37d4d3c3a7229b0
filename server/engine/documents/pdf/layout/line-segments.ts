import { maxOf, minOf, type PdfSpan } from '../content/span'
import type { PdfFonts } from '../fonts/fonts'
import { withoutRepeatedType } from './repeated-type'

/** Words on a line without a gap as wide as between columns. */
export interface PdfSegment {
  text: string
  left: number
  right: number
  y: number
  size: number
  isBold: boolean
  isRightToLeft: boolean
  /** The common role of its runs by the structure tags; '' if they differ. */
  role: string
}

/** Maximum width of a space, in multiples of the text size: wider gaps separate columns or cells. */
const maxSpace = 1
/** Distance of a list marker from its item. */
const maxMarkerIndent = 4
/** Narrower than a space, wider than kerning. */
const minSpace = 0.13
const marker = /^(?:[\p{Po}\p{Pd}\p{S}\p{Co}]|[([]?(?:\d{1,3}|\p{L}|[ivx]{1,4})[.)\]])$/u

/** Joins the runs of one frame into segments of lines. */
export function segmentsOf(spans: PdfSpan[], fonts: PdfFonts): PdfSegment[] {
  return linesOf(spans).flatMap((line) => joinLine(line, fonts))
}

/** Groups runs with a common baseline, including superscripts and subscripts. */
function linesOf(spans: PdfSpan[]): PdfSpan[][] {
  const lines: PdfSpan[][] = []
  const sorted = [...spans].sort((a, b) => a.y - b.y)
  let line: PdfSpan[] = []
  let base = Number.NEGATIVE_INFINITY
  let size = 0
  for (const span of sorted) {
    if (line.length > 0 && span.y - base <= maxBaselineDistance(size, span.size)) {
      line.push(span)
      // The largest text determines the baseline of a line.
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

/** Superscripts and subscripts are smaller, and may be further off the baseline. */
function maxBaselineDistance(size: number, otherNumber: number): number {
  const larger = Math.max(size, otherNumber)
  return Math.min(size, otherNumber) < 0.9 * larger ? 0.45 * larger : 0.3 * larger
}

function joinLine(line: PdfSpan[], fonts: PdfFonts): PdfSegment[] {
  const order = new Map(line.map((span, index) => [span, index]))
  line.sort((a, b) => a.left - b.left || (order.get(a) ?? 0) - (order.get(b) ?? 0))
  const groups: PdfSpan[][] = []
  let right = Number.NEGATIVE_INFINITY
  for (const span of withoutRepeatedType(line)) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (group && before) {
      const size = Math.max(before.size, span.size)
      const maxGap = group.length === 1 && marker.test(before.text.trim()) ? maxMarkerIndent : maxSpace
      if (span.left - right <= maxGap * size) {
        group.push(span)
        right = Math.max(right, span.right)
        continue
      }
    }
    groups.push([span])
    right = Math.max(right, span.right)
  }
  return groups.map((group) => segmentOf(group, fonts))
}

function segmentOf(group: PdfSpan[], fonts: PdfFonts): PdfSegment {
  const letters = (of: (span: PdfSpan) => boolean) =>
    group.reduce((sum, span) => sum + (of(span) ? span.text.length : 0), 0)
  const all = letters(() => true)
  const isRightToLeft = letters((span) => span.isRightToLeft) * 2 > all
  const largest = group.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  const role = group[0]?.role ?? ''
  return {
    text: textOf(isRightToLeft ? [...group].reverse() : group, isRightToLeft),
    left: minOf(group, (span) => span.left),
    right: maxOf(group, (span) => span.right),
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
      // In the order of the file, pdfjs reports spaces by the glyphs' positions.
      const isNext = span.order === before.order + 1 || span.order < 0
      const needed = isNext && span.isContiguous ? 2 * minSpace : minSpace
      const isApart = (isNext && span.hasSpaceBefore) || gap > needed * Math.min(before.size, span.size)
      if (isApart && !/^\p{M}/u.test(span.text)) text += ' '
    }
    text += span.text
    before = span
  }
  return text
}
