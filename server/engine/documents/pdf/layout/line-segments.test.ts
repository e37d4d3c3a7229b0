import { expect, test } from 'vitest'
import type { PdfSpan } from '../content/span'
import { segmentsOf } from './line-segments'

/** Creates a run with letters half as wide as high. */
function span(text: string, left: number, from: Partial<PdfSpan> = {}): PdfSpan {
  const frame = { text, left, right: left + text.length * 5, y: 100, size: 10, font: 'f', angle: 0 }
  return { ...frame, isRightToLeft: false, order: 0, hasSpaceBefore: false, isContiguous: false, role: '', ...from }
}

function textOf(...spans: PdfSpan[]): string {
  return segmentsOf(spans, new Map())
    .map((segment) => segment.text)
    .join(' | ')
}

test('reads overlapping runs once, completely or partly', () => {
  expect(textOf(span('lamp', 10), span('lamp', 10.5))).toBe('lamp')
  expect(textOf(span('la', 10), span('lamp', 10), span('mps', 20))).toBe('lamps')
})

test('does not shorten a run that starts with the last letter of the previous one', () => {
  expect(textOf(span('all', 10), span('lamps', 25))).toBe('alllamps')
  expect(textOf(span('all', 10), span('lamps', 24))).toBe('alllamps')
})

test('inserts a space of the file between runs that are adjacent in the file', () => {
  const [e, x] = [span('e', 10, { order: 8 }), span('x', 15, { order: 3, hasSpaceBefore: true, isContiguous: true })]
  expect(textOf(e, x)).toBe('ex')
  expect(textOf({ ...e, order: 2 }, x)).toBe('e x')
})
