import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdfOfContent, type RawObject } from '../../../../../tests/support/pdf-objects'
import { textsOfPdf } from '../../../../../tests/support/read-pdf'
import { fileLimits } from '../../../limits'
import { mended } from './patch'

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
  /** From number 9 on. */
  more?: RawObject[]
}

/** A page of three characters of two bytes. */
function fileOf({ encoding = '/Identity-H', unicode, description, more = [] }: FontParts): Buffer {
  const font = '<< /Type /Font /Subtype /Type0 /BaseFont /Lamps'
  const described = description ?? '/FontDescriptor << /Type /FontDescriptor /FontName /Lamps /Flags 4 >>'
  const system = '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>'
  return pdfOfContent(content, [
    `${font} /Encoding ${encoding} /ToUnicode 8 0 R /DescendantFonts [7 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Lamps ${described} ${system} /DW 500 >>`,
    unicode,
    ...more,
  ])
}

const unicode = { dictionary: '', stream: cmapOf(`${codes} ${letters}`) }

test('A file without faults is left as it is', () => {
  const file = fileOf({ unicode })
  expect(mended(file)).toBe(file)
  const packed = fileOf({ unicode: { dictionary: '/Filter /FlateDecode', stream: deflateSync(unicode.stream) } })
  expect(mended(packed)).toBe(packed)
})

test('A table of letters whose end is lost is read', async () => {
  const packed = deflateSync(unicode.stream)
  const cut = { dictionary: '/Filter [/FlateDecode]', stream: packed.subarray(0, -6) }
  expect(await textsOfPdf(fileOf({ unicode: cut }))).toEqual(['lam'])
})

test("A table that builds on one of the file's own is read by itself", async () => {
  const stream = cmapOf(`/Lamps-Codes usecmap ${codes} 1 begincidrange <0000> <00ff> 0 endcidrange`)
  const own = { dictionary: '/Type /CMap /CMapName /Lamps', stream }
  expect(await textsOfPdf(fileOf({ encoding: '9 0 R', unicode, more: [own] }))).toEqual(['lam'])
  const known = { ...own, stream: stream.replace('Lamps-Codes', 'UniJIS-UTF16-H') }
  const file = fileOf({ encoding: '9 0 R', unicode, more: [known] })
  expect(mended(file)).toBe(file)
})

test('Ranges of more codes than memory holds do not count', async () => {
  const ranges = (high: string) => `2 beginbfrange <0001> <0003> <006c> <00001000> <${high}> <0041> endbfrange`
  const large = fileOf({ unicode: { dictionary: '', stream: cmapOf(`${codes} ${ranges('00ffffff')}`) } })
  expect(mended(large).toString('latin1').slice(large.length)).toContain(ranges('00001000'))
  expect(await textsOfPdf(large)).toEqual(['lmn'])
  const most = (fileLimits.pdf.codes + 0x1000 - 2).toString(16).padStart(8, '0')
  const allowed = fileOf({ unicode: { dictionary: '', stream: cmapOf(`${codes} ${ranges(most)}`) } })
  expect(mended(allowed)).toBe(allowed)
})

test('Lists are as long as they are, whatever their letters', () => {
  const list = '<0041> <ffff> '.repeat(100)
  const stream = cmapOf(`${codes} 1 beginbfrange <0000> <00c7> [${list}] endbfrange`)
  const file = fileOf({ unicode: { dictionary: '', stream } })
  expect(mended(file)).toBe(file)
})

test('A font of characters of two bytes without a description is read', async () => {
  expect(await textsOfPdf(fileOf({ unicode, description: '' }))).toEqual(['lam'])
})

test('Encrypted files are left as they are', () => {
  const file = Buffer.concat([fileOf({ unicode, description: '' }), Buffer.from('/Encrypt 9 0 R')])
  expect(mended(file)).toBe(file)
})

test.each(['/CIDFontType2 ', '9 0 obj/CIDFontType2 ', '9 0 obj<<>>stream\nendstream\n'])(
  'A file of nothing but %j is passed',
  { timeout: 20_000 },
  (word) => {
    const file = Buffer.alloc(8 * 2 ** 20, word)
    expect(mended(file)).toBe(file)
  },
)
