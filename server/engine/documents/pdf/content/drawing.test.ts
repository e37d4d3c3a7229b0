import { expect, test } from 'vitest'
import { pdfOfContent } from '../../../../../tests/support/files/pdf-objects'
import { openPdf } from '../pdfjs'
import { type PdfDrawing, readDrawing, visibleSpans } from './drawing'
import type { PdfSpan } from './span'

async function drawingIn(content: string): Promise<PdfDrawing> {
  const image = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 5 0 R >> >>'
  const file = pdfOfContent(
    content,
    [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
      { dictionary: image, stream: '\0' },
      { dictionary: form, stream: 'BT /F 10 Tf 3 Tr (in) Tj ET' },
    ],
    '',
    '/XObject << /I 7 0 R /X 8 0 R >>',
  )
  const task = await openPdf(new Uint8Array(file))
  try {
    return await readDrawing(await (await task.promise).getPage(1))
  } finally {
    await task.destroy()
  }
}

const write = (text: string, mode: number) => `${mode} Tr (${text}) Tj`
const inText = (content: string) => `BT /F 10 Tf 72 700 Td ${content} ET`

test.each([
  ['over the entire page', 'q 612 0 0 792 0 0 cm /I Do Q', 1],
  ['rotated over half of it', 'q 0 396 -612 0 612 0 cm /I Do Q', 0.5],
  ['in two strips', 'q 2 0 0 2 0 0 cm q 306 0 0 99 0 0 cm /I Do Q q 306 0 0 99 0 99 cm /I Do Q Q', 0.5],
  ['clipped by a path', 'q 612 0 0 792 0 0 cm 0 0 1 1 re W n /I Do Q', 1],
  ['in the text of the page', 'q 612 0 0 396 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \0 EI Q', 0.5],
])('measures an image %s', async (_, content, share) => {
  expect((await drawingIn(content)).imageCoverage).toBeCloseTo(share)
})

test.each([
  ['a square', 'q 612 0 0 792 0 0 cm 0 0 1 1 re f Q'],
  ['text', `q 50 0 0 50 0 0 cm ${inText(write('lamp', 0))} Q`],
  ['nothing', 'q 1 0 0 1 72 72 cm Q'],
])('does not take %s for an image', async (_, content) => {
  expect((await drawingIn(content)).imageCoverage).toBeLessThan(0.001)
})

test('finds invisible text by its position', async () => {
  const content = inText(`${write('see n', 0)} ${write('hid den', 3)} ${write('cut', 7)} ${write('on', 2)}`)
  expect(await drawingIn(content)).toMatchObject({ text: 'seenhiddencuton', visibilityChanges: [4, 10] })
  expect(await drawingIn(`q ${inText(write('a', 3))} Q ${inText('(b) Tj')}`)).toMatchObject({
    text: 'ab',
    visibilityChanges: [0, 1],
  })
  expect(await drawingIn(`/X Do ${inText('(b) Tj')}`)).toMatchObject({ text: 'inb', visibilityChanges: [0, 2] })
})

const span = (text: string, isRightToLeft = false) => ({ text, isRightToLeft }) as PdfSpan
const seen = (spans: PdfSpan[], text: string, visibilityChanges: number[]) =>
  visibleSpans(spans, { imageCoverage: 0, text, visibilityChanges }).map((visibleSpan) => visibleSpan.text)
const long = 'hide'.repeat(12)

test('removes invisible characters from runs', () => {
  const spans = [span('ab c'), span(long), span('fg')]
  expect(seen(spans, `abc${long}fg`, [])).toEqual(['ab c', long, 'fg'])
  expect(seen(spans, `abc${long}fg`, [3, 51])).toEqual(['ab c', 'fg'])
  expect(seen(spans, `abc${long}fg`, [1, 50])).toEqual(['a ', 'e', 'fg'])
  expect(seen(spans, `abc${long}fg`, [1])).toEqual(['a '])
})

test('keeps a page of only invisible text, and a short invisible line', () => {
  expect(seen([span(long)], long, [0])).toEqual([long])
  expect(seen([span('ab'), span('Made by a program')], 'abMadebyaprogram', [2])).toEqual(['ab', 'Made by a program'])
})

test('skips text outside the page, and keeps runs that are not found', () => {
  expect(seen([span('ab'), span(long)], `abXXX${long}`, [5])).toEqual(['ab'])
  expect(seen([span('ab'), span('??'), span(long)], `ab${long}`, [2])).toEqual(['ab', '??'])
  expect(seen([span(long, true), span('cd')], `${long}cd`, [0, 48])).toEqual(['cd'])
})
