import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdfOfObjects } from '../../../../../tests/support/files/pdf-objects'
import { mayHideText } from './render-modes'

const flate = '/Filter /FlateDecode'
const fileOf = (dictionary: string, stream: string | Buffer) =>
  pdfOfObjects(['<< /Type /Catalog >>', { dictionary, stream }])

test.each([
  ['without a filter', '', 'BT 3 Tr (lamp) Tj ET'],
  ['written otherwise', '', 'BT 03.0\nTr(lamp) Tj ET'],
  ['far from its mode', '', `BT 3${' '.repeat(40)}Tr (lamp) Tj ET`],
  ['with a comment', '', 'BT 3 % a\nTr (lamp) Tj ET'],
  ['compressed', flate, deflateSync('BT 3 Tr (lamp) Tj ET')],
  ['compressed, with a filter array', '/Filter [ /FlateDecode ]', deflateSync('BT 3 Tr (lamp) Tj ET')],
  ['compressed and truncated', flate, deflateSync('3 Tr '.repeat(1_000) + Math.PI).subarray(0, -8)],
  ['with another filter', '/Filter /LZWDecode', 'lamp'],
  ['with two filters', '/Filter [/ASCII85Decode /FlateDecode]', 'lamp'],
  ['damaged', flate, 'lamp'],
  ['too long', flate, deflateSync(Buffer.alloc(33 * 2 ** 20))],
])('reports text in a stream %s', (_, dictionary, stream) => {
  expect(mayHideText(fileOf(dictionary, stream))).toBe(true)
})

test.each([
  ['with visible text', '', 'BT 0 Tr 13 Td (Tr) Tj 30 Tr 7 Tr ET'],
  ['compressed', flate, deflateSync('BT (lamp) Tj ET')],
  ['of an image', '/Subtype /Image /Filter /DCTDecode', '3 Tr'],
  ['of a font', '/Length1 20 /Filter /FlateDecode', 'lamp'],
])('does not report a stream %s', (_, dictionary, stream) => {
  expect(mayHideText(fileOf(dictionary, stream))).toBe(false)
})

test('reports streams that are too long in sum', () => {
  const stream = deflateSync(Buffer.alloc(31 * 2 ** 20))
  const file = (count: number) => pdfOfObjects(Array.from({ length: count }, () => ({ dictionary: flate, stream })))
  expect(mayHideText(file(4))).toBe(false)
  expect(mayHideText(file(5))).toBe(true)
})

test('reports encrypted files', () => {
  expect(mayHideText(Buffer.from('%PDF-1.7 /Encrypt 9 0 R'))).toBe(true)
})
