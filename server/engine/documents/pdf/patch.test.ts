import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdfOfContent, type RawObject } from '../../../../tests/support/files/pdf-objects'
import { textsOfPdf } from '../../../../tests/support/files/read-pdf'
import { fileLimits } from '../../limits'
import { patchPdf } from './patch'

const content = 'BT /G 10 Tf 72 700 Td <000100020003> Tj ET'
const letters = '3 beginbfchar <0001> <006c> <0002> <0061> <0003> <006d> endbfchar'
const codes = '1 begincodespacerange <0000> <ffff> endcodespacerange'

function cmapOf(inner: string): string {
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap ${inner} endcmap end end`
}

interface FontParts {
  encoding?: string
  unicode: RawObject
  description?: string
  /** Objects from number 9 on. */
  more?: RawObject[]
}

/** A page of three two-byte characters. */
function fileOf({ encoding = '/Identity-H', unicode, description, more = [] }: FontParts): Buffer {
  const font = '<< /Type /Font /Subtype /Type0 /BaseFont /Lamps'
  const descriptor = description ?? '/FontDescriptor << /Type /FontDescriptor /FontName /Lamps /Flags 4 >>'
  const system = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>'
  return pdfOfContent(content, [
    `${font} /Encoding ${encoding} /ToUnicode 8 0 R /DescendantFonts [7 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Lamps ${descriptor} ${system} /DW 500 >>`,
    unicode,
    ...more,
  ])
}

const unicode = { dictionary: '', stream: cmapOf(`${codes} ${letters}`) }

test('does not change a file without defects', () => {
  const file = fileOf({ unicode })
  expect(patchPdf(file)).toBe(file)
  const compressed = fileOf({ unicode: { dictionary: '/Filter /FlateDecode', stream: deflateSync(unicode.stream) } })
  expect(patchPdf(compressed)).toBe(compressed)
})

test('reads a truncated CMap', async () => {
  const compressed = deflateSync(unicode.stream)
  const cut = { dictionary: '/Filter [/FlateDecode]', stream: compressed.subarray(0, -6) }
  expect(await textsOfPdf(fileOf({ unicode: cut }))).toEqual(['lam'])
})

test("reads a CMap that refers to one of the file's own", async () => {
  const stream = cmapOf(`/Lamps-Codes usecmap ${codes} 1 begincidrange <0000> <00ff> 0 endcidrange`)
  const own = { dictionary: '/Type /CMap /CMapName /Lamps', stream }
  expect(await textsOfPdf(fileOf({ encoding: '9 0 R', unicode, more: [own] }))).toEqual(['lam'])
  const known = { ...own, stream: stream.replace('Lamps-Codes', 'UniJIS-UTF16-H') }
  const file = fileOf({ encoding: '9 0 R', unicode, more: [known] })
  expect(patchPdf(file)).toBe(file)
})

test('ignores ranges of too many codes', async () => {
  const ranges = (high: string) => `2 beginbfrange <0001> <0003> <006c> <00001000> <${high}> <0041> endbfrange`
  const large = fileOf({ unicode: { dictionary: '', stream: cmapOf(`${codes} ${ranges('00ffffff')}`) } })
  expect(patchPdf(large).toString('latin1').slice(large.length)).toContain(ranges('00001000'))
  expect(await textsOfPdf(large)).toEqual(['lmn'])
  const maxCode = (fileLimits.pdf.codes + 0x1000 - 2).toString(16).padStart(8, '0')
  const allowed = fileOf({ unicode: { dictionary: '', stream: cmapOf(`${codes} ${ranges(maxCode)}`) } })
  expect(patchPdf(allowed)).toBe(allowed)
})

test('accepts ranges that map to lists', () => {
  const list = '<0041> <ffff> '.repeat(100)
  const stream = cmapOf(`${codes} 1 beginbfrange <0000> <00c7> [${list}] endbfrange`)
  const file = fileOf({ unicode: { dictionary: '', stream } })
  expect(patchPdf(file)).toBe(file)
})

test('reads a composite font without a descriptor', async () => {
  expect(await textsOfPdf(fileOf({ unicode, description: '' }))).toEqual(['lam'])
})

test('does not change encrypted files', () => {
  const file = Buffer.concat([fileOf({ unicode, description: '' }), Buffer.from('/Encrypt 9 0 R')])
  expect(patchPdf(file)).toBe(file)
})

test.each(['/CIDFontType2 ', '9 0 obj/CIDFontType2 ', '9 0 obj<<>>stream\nendstream\n'])(
  'handles a file of nothing but %j',
  { timeout: 20_000 },
  (word) => {
    const file = Buffer.alloc(8 * 2 ** 20, word)
    expect(patchPdf(file)).toBe(file)
  },
)
