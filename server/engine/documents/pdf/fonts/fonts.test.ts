import { expect, test } from 'vitest'
import { pdfOfContent } from '../../../../../tests/support/files/pdf-objects'
import { textsOfPdf } from '../../../../../tests/support/files/read-pdf'

const year = 'BT /F 10 Tf 72 700 Td (Lamps of ) Tj /G 10 Tf <80818280> Tj ET'

function fontOf(names: string, more = ''): string {
  const encoding = `/Encoding << /Type /Encoding /BaseEncoding /StandardEncoding /Differences [${names}] >>`
  const widths = `/FirstChar 0 /LastChar 255 /Widths [${'500 '.repeat(256)}]`
  return `<< /Type /Font /Subtype /Type1 /BaseFont /Lamps ${widths} ${encoding} ${more} >>`
}

test('reads old-style figures and ligatures by their glyph names', async () => {
  const file = pdfOfContent(year, [fontOf('128 /two.oldstyle /zero.oldstyle /f_i')])
  expect(await textsOfPdf(file)).toEqual(['Lamps of 20fi2'])
})

test('looks up the only font of a page if it has uncommon characters', async () => {
  const file = pdfOfContent('BT /G 10 Tf 72 700 Td <80818280> Tj ET', [fontOf('128 /two.os /zero.os /five.os')])
  expect(await textsOfPdf(file)).toEqual(['2052'])
})

test('prefers the mapping of the file for a code', async () => {
  const cmap = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange
3 beginbfchar <80> <0041> <81> <0042> <82> <00e9> endbfchar endcmap`
  const font = fontOf('128 /two.oldstyle /zero.oldstyle /one.oldstyle 233 /nine.oldstyle', '/ToUnicode 7 0 R')
  expect(await textsOfPdf(pdfOfContent(year, [font, { dictionary: '', stream: cmap }]))).toEqual(['Lamps of ABéA'])
})

test('drops undefined codes, unless the file maps them', async () => {
  const names = '65 /A 194 /.notdef 226 /.notdef'
  const content = 'BT /F 10 Tf 72 700 Td (Lamps ) Tj /G 10 Tf <41e241> Tj ET'
  expect(await textsOfPdf(pdfOfContent(content, [fontOf(names)]))).toEqual(['Lamps AA'])
  const cmap = 'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <e2> <00e2> endbfchar endcmap'
  const mapped = fontOf(names, '/ToUnicode 7 0 R')
  expect(await textsOfPdf(pdfOfContent(content, [mapped, { dictionary: '', stream: cmap }]))).toEqual(['Lamps AâA'])
})

test('reads dingbats as symbols', async () => {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>'
  const content = 'BT /G 10 Tf 72 700 Td (4 ) Tj /F 10 Tf (Lamps) Tj ET'
  expect(await textsOfPdf(pdfOfContent(content, [font]))).toEqual(['✔ Lamps'])
})
