import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdfOfObjects } from '../../../../../tests/support/pdf-objects'
import { mayHideText } from './render-modes'

const flate = '/Filter /FlateDecode'
const fileOf = (dictionary: string, stream: string | Buffer) =>
  pdfOfObjects(['<< /Type /Catalog >>', { dictionary, stream }])

test.each([
  ['as it is', '', 'BT 3 Tr (lamp) Tj ET'],
  ['written otherwise', '', 'BT 03.0\nTr(lamp) Tj ET'],
  ['far from its mode', '', `BT 3${' '.repeat(40)}Tr (lamp) Tj ET`],
  ['behind a remark', '', 'BT 3 % a\nTr (lamp) Tj ET'],
  ['packed', flate, deflateSync('BT 3 Tr (lamp) Tj ET')],
  ['packed, in a list', '/Filter [ /FlateDecode ]', deflateSync('BT 3 Tr (lamp) Tj ET')],
  ['packed and cut off', flate, deflateSync('3 Tr '.repeat(1_000) + Math.PI).subarray(0, -8)],
  ['packed in another way', '/Filter /LZWDecode', 'lamp'],
  ['packed twice', '/Filter [/ASCII85Decode /FlateDecode]', 'lamp'],
  ['damaged', flate, 'lamp'],
  ['too long', flate, deflateSync(Buffer.alloc(33 * 2 ** 20))],
])('text in a stream %s may be hidden', (_, dictionary, stream) => {
  expect(mayHideText(fileOf(dictionary, stream))).toBe(true)
})

test.each([
  ['with text that is seen', '', 'BT 0 Tr 13 Td (Tr) Tj 30 Tr 7 Tr ET'],
  ['packed', flate, deflateSync('BT (lamp) Tj ET')],
  ['of an image', '/Subtype /Image /Filter /DCTDecode', '3 Tr'],
  ['of a font', '/Length1 20 /Filter /FlateDecode', 'lamp'],
])('a stream %s hides nothing', (_, dictionary, stream) => {
  expect(mayHideText(fileOf(dictionary, stream))).toBe(false)
})

test('Streams that are too long together are not looked into', () => {
  const stream = deflateSync(Buffer.alloc(31 * 2 ** 20))
  const file = (count: number) => pdfOfObjects(Array.from({ length: count }, () => ({ dictionary: flate, stream })))
  expect(mayHideText(file(4))).toBe(false)
  expect(mayHideText(file(5))).toBe(true)
})

test('An encrypted file may hide text', () => {
  expect(mayHideText(Buffer.from('%PDF-1.7 /Encrypt 9 0 R'))).toBe(true)
})
