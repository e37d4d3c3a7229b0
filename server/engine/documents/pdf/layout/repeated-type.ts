import type { PdfSpan } from '../content/span'

/** Offset of a shadow, in multiples of the text size. */
const maxOffset = 0.3
/** Share of the runs of a line that repeat the letter before them, from which on each letter is drawn twice. */
const minRepeatedShare = 0.6
const minRepeated = 3
/** Width of a letter in a narrow font, in multiples of the text size. A run with pairs of letters is narrower. */
const minLetterWidth = 0.4
/** Widths of narrow and wide letters, in multiples of that of others. */
const narrow = /[\sfijlrtI.,:;'!|()[\]-]/
const wide = /[mwMW@]/

/**
 * Removes what a line shows twice: programs draw letters a second time, slightly offset, to make them bold or to give
 * them a shadow. The runs are sorted by position; pdfjs joins the copy of one word with the next word.
 */
export function withoutRepeatedType(line: PdfSpan[]): PdfSpan[] {
  const read: PdfSpan[] = []
  let repeatedLetters = 0
  for (const next of line) {
    const before = read.at(-1)
    if (before && isWithin(before, next)) continue
    const span = before ? withoutOverlap(before, next) : next
    if (span.text.length === next.text.length - 1) repeatedLetters++
    read.push(span)
  }
  const isLetterByLetter = repeatedLetters >= minRepeated && repeatedLetters >= minRepeatedShare * read.length
  return isLetterByLetter ? read.map((span) => ({ ...span, text: withoutPairs(span.text) })) : read
}

/** Whether a run repeats the previous one or a part of it, in the same place. */
function isWithin(before: PdfSpan, span: PdfSpan): boolean {
  const near = maxOffset * span.size
  if (!before.text.includes(span.text.trim()) || Math.abs(before.y - span.y) > near) return false
  const width = span.right - span.left
  const overlap = Math.min(before.right, span.right) - Math.max(before.left, span.left)
  return width > 0 && overlap > width / 2 && span.right - before.right < Math.min(near, width / 2)
}

/** Removes the start of a run that repeats the end of the previous one. */
function withoutOverlap(before: PdfSpan, span: PdfSpan): PdfSpan {
  const overlap = before.right - span.left
  const near = maxOffset * span.size
  if (overlap <= 0 || Math.abs(before.y - span.y) > near || span.isRightToLeft) return span
  const count = overlappingLetters(before, span, overlap)
  return count > 0
    ? { ...span, text: span.text.slice(count), left: before.right, isContiguous: true, hasSpaceBefore: false }
    : span
}

/** Returns how many letters at the start of a run are those at the end of the previous one, and about as wide as the overlap. */
function overlappingLetters(before: PdfSpan, { text, left, right, size }: PdfSpan, overlap: number): number {
  const unit = Math.max((right - left) / widthOf(text), minLetterWidth * size)
  let best = 0
  let bestDistance = maxOffset * size + unit / 2
  for (let count = 1; count < text.length; count++) {
    const width = widthOf(text.slice(0, count)) * unit
    const distance = Math.abs(width - overlap)
    // Less than half of the letters is kerning, or a letter that follows the same letter.
    if (distance > Math.min(bestDistance, width / 2) || !before.text.endsWith(text.slice(0, count))) continue
    best = count
    bestDistance = distance
  }
  return best
}

function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += narrow.test(letter) ? 0.5 : wide.test(letter) ? 1.5 : 1
  return width
}

/** Halves pairs of letters, except for the last one of a run, whose copy starts the next run. */
function withoutPairs(text: string): string {
  return text.replace(/(\S)\1(?=.)/gsu, '$1')
}
