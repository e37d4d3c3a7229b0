import { expect, test } from 'vitest'
import { pdfOfContent } from '../../../../../tests/support/files/pdf-objects'
import { textsOfPdf } from '../../../../../tests/support/files/read-pdf'

const text = 'Lamps for illit ships'
const size = 20
/** Widths of the letters in Helvetica, in thousandths of the size. */
const widths = new Map(
  Object.entries({
    L: 556,
    a: 556,
    m: 833,
    p: 556,
    s: 500,
    ' ': 278,
    f: 278,
    o: 556,
    r: 333,
    h: 556,
    i: 222,
    l: 222,
    t: 278,
  }),
)

interface Piece {
  text: string
  x: number
}

function widthOf(piece: string): number {
  return [...piece].reduce((sum, letter) => sum + ((widths.get(letter) ?? 0) / 1000) * size, 0)
}

function piecesOf(unit: 'line' | 'word' | 'letter'): Piece[] {
  const pieces = unit === 'line' ? [text] : text.split(unit === 'word' ? /(?= )/ : '')
  return pieces.map((piece, index) => ({ text: piece, x: 72 + widthOf(pieces.slice(0, index).join('')) }))
}

/** Draws each piece several times, each time further by the offset: before the next piece, or after the last one. */
function draw(pieces: Piece[], [dx, dy]: readonly [number, number], isLayered: boolean, times = 2): Buffer {
  const passes = Array.from({ length: times }, (_, pass) => pass)
  const drawingOf = (piece: Piece, pass: number) =>
    `1 0 0 1 ${(piece.x + pass * dx).toFixed(2)} ${700 + pass * dy} Tm (${piece.text}) Tj `
  const drawn = isLayered
    ? passes.flatMap((pass) => pieces.map((piece) => drawingOf(piece, pass)))
    : pieces.flatMap((piece) => passes.map((pass) => drawingOf(piece, pass)))
  return pdfOfContent(`BT /F ${size} Tf ${drawn.join('')} ET`)
}

const offsets = [
  [0, 0],
  [0.3, 0],
  [0.8, -0.8],
  [2, -2],
  [3, -3],
  [-1, 1],
] as const

test.each(offsets)('reads type with a shadow at %d, %d once', async (...offset) => {
  for (const isLayered of [true, false])
    for (const unit of ['line', 'word', 'letter'] as const)
      expect(await textsOfPdf(draw(piecesOf(unit), offset, isLayered))).toEqual([text])
})

test('reads type that is drawn three times once', async () => {
  for (const isLayered of [true, false])
    expect(await textsOfPdf(draw(piecesOf('letter'), [0.3, 0], isLayered, 3))).toEqual([text])
})

test('keeps words and letters that are repeated', async () => {
  const repeated = 'all all had had 1100 aabbcc'
  expect(await textsOfPdf(pdfOfContent(`BT /F 20 Tf 72 700 Td (${repeated}) Tj ET`))).toEqual([repeated])
  const words = [...repeated.split(' ')]
    .map((word, index) => `1 0 0 1 ${72 + index * 80} 700 Tm (${word}) Tj`)
    .join(' ')
  expect((await textsOfPdf(pdfOfContent(`BT /F 20 Tf ${words} ET`))).join(' ')).toBe(repeated)
})
