import { expect, test } from 'vitest'
import type { PdfSpan } from '../content/span'
import { piecesOf } from './line-segments'

/** Letters are half as wide as they are high. */
function span(text: string, left: number, from: Partial<PdfSpan> = {}): PdfSpan {
  const frame = { text, left, right: left + text.length * 5, y: 100, size: 10, font: 'f', angle: 0 }
  return { ...frame, isRightToLeft: false, order: 0, afterSpace: false, follows: false, role: '', ...from }
}

function textOf(...spans: PdfSpan[]): string {
  return piecesOf(spans, new Map())
    .map((piece) => piece.text)
    .join(' | ')
}

test('A run that is drawn over another counts once, as a whole or where it begins', () => {
  expect(textOf(span('lamp', 10), span('lamp', 10.5))).toBe('lamp')
  expect(textOf(span('la', 10), span('lamp', 10), span('mps', 20))).toBe('lamps')
})

test('What begins with the letter that the run before ends with is not cut', () => {
  expect(textOf(span('all', 10), span('lamps', 25))).toBe('alllamps')
  expect(textOf(span('all', 10), span('lamps', 24))).toBe('alllamps')
})

test('A space of the file stands between neighbours in the file', () => {
  const [e, x] = [span('e', 10, { order: 8 }), span('x', 15, { order: 3, afterSpace: true, follows: true })]
  expect(textOf(e, x)).toBe('ex')
  expect(textOf({ ...e, order: 2 }, x)).toBe('e x')
})
