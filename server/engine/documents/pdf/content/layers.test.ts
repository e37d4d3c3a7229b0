import { expect, test } from 'vitest'
import { pdfOfContent } from '../../../../../tests/support/files/pdf-objects'
import { textsOfPdf } from '../../../../../tests/support/files/read-pdf'

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const layers = ['<< /Type /OCG /Name (shown) >>', '<< /Type /OCG /Name (hidden) >>']
const catalog = '/OCProperties << /OCGs [7 0 R 8 0 R] /D << /Order [7 0 R 8 0 R] /OFF [8 0 R] >> >>'
const resources = '/Properties << /Shown 7 0 R /Hidden 8 0 R >>'

function line(text: string, y: number): string {
  return `BT /F 10 Tf 72 ${y} Td (${text}) Tj ET`
}

test('skips content of hidden layers', async () => {
  const content = [
    line('Of no layer', 700),
    `/OC /Shown BDC ${line('Of a layer', 660)} EMC`,
    `/OC /Hidden BDC ${line('Hidden', 620)} /OC /Shown BDC ${line('Within', 580)} EMC EMC`,
    line('After it', 540),
  ]
  const file = pdfOfContent(content.join('\n'), [font, ...layers], catalog, resources)
  expect(await textsOfPdf(file)).toEqual(['Of no layer', 'Of a layer', 'After it'])
})

test('reads deeply nested layers', async () => {
  const count = 5_000
  const content = `${'/OC /Shown BDC '.repeat(count)}${line('Deep', 700)}${' EMC'.repeat(count)}`
  expect(await textsOfPdf(pdfOfContent(content, [font, ...layers], catalog, resources))).toEqual(['Deep'])
})
