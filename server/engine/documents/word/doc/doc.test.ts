import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type DocSource, docOf, oldDocOf } from '../../../../../tests/support/files/doc'
import { collect, linesOf, partsOf } from '../../../../../tests/support/files/file-parts'
import { oleOf } from '../../../../../tests/support/files/ole'
import { decodeAs } from '../../../charset/decoders'
import { readDoc } from './doc'

const fixtures = 'tests/fixtures/files'

async function linesIn(source: DocSource): Promise<string[]> {
  const { blocks, refused } = await partsOf(readDoc, docOf(source))
  expect(refused).toBe(null)
  return linesOf(blocks)
}

describe('readDoc', () => {
  it('reads tables', async () => {
    const { facts, blocks, refused } = await collect(readDoc(`${fixtures}/simple-table.doc`))
    expect(refused).toBe(null)
    expect(facts).toEqual({
      title: 'This is a Word document that was created using Word 97 – SR2',
      language: 'en',
      publishedAt: 1047420720000,
      modifiedAt: 1047420840000,
    })
    expect(linesOf(blocks)).toEqual([
      'paragraph: This is a Word document that was created using Word 97 – SR2. It contains a paragraph, a table consisting of 2 rows and 3 columns and a final paragraph.',
      'table: Cell 1,1 | Cell 1,2 | Cell 1,3\nCell 2,1 | Cell 2,2 | Cell 2,3',
      'paragraph: This text is below the table.',
    ])
  })

  it('reads notes, text boxes and field results, but no comments', async () => {
    const { blocks } = await collect(readDoc(`${fixtures}/test-fields.doc`))
    expect(linesOf(blocks)).toEqual([
      'paragraph: 19/11/2010 14:49:00',
      'paragraph: Here is a link to an endnote[i]',
      'paragraph: [i] Field in EndNote. File size: 0',
      'paragraph: Here is a link to a footnote[1]',
      'paragraph: [1] Footnote with field: Fridrich Strba',
      'paragraph: Some annotation linking here',
      'paragraph: Field in text box: 2',
    ])
  })

  it('reads Word 6 files', async () => {
    const { blocks, refused } = await collect(readDoc(`${fixtures}/Word6.doc`))
    expect(refused).toBe(null)
    expect(linesOf(blocks)).toEqual(['paragraph: The quick brown fox jumps over the lazy dog'])
  })

  it('refuses encrypted files', async () => {
    const { blocks, refused } = await collect(readDoc(`${fixtures}/password_tika_binaryrc4.doc`))
    expect({ blocks, refused }).toEqual({ blocks: [], refused: 'file-encrypted' })
  })
})

/** Code pages of one byte per character, by what Node knows of them. */
function encoded(text: string, encoding: string): Buffer {
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decodeAs(encoding, Uint8Array.of(byte)), byte]))
  return Buffer.from([...text].map((character) => bytes.get(character) ?? 0x3f))
}

describe('text of Word 6 and 95', () => {
  it.each([
    ['windows-1251', 'Компания продаёт лампы и фитили.'],
    ['windows-1251', 'ДОГОВОР ПОСТАВКИ'],
    ['windows-1251', 'Lamp 40: Компания'],
    ['windows-1250', 'Zażółć gęślą jaźń, a później źdźbło i śnieg.'],
    ['windows-1253', 'Η λάμπα καίει όλη τη νύχτα.'],
    ['windows-1252', 'Le café crème est déjà prêt – “voilà”.'],
  ])('is decoded by its letters, whatever the language of the program: %s %s', async (encoding, text) => {
    const { blocks, refused } = await partsOf(readDoc, oldDocOf(encoded(`${text}\r`, encoding)))
    expect({ lines: linesOf(blocks), refused }).toEqual({ lines: [`paragraph: ${text}`], refused: null })
  })

  it('is refused if the letters mean nothing', async () => {
    const mixed = Uint8Array.from({ length: 400 }, (_, index) => 0xc0 + ((index * 37) % 63))
    for (const text of [mixed, encoded('Компания продаёт лампы и фитили.', 'koi8-r')])
      expect(await partsOf(readDoc, oldDocOf(text))).toMatchObject({ blocks: [], refused: 'file-encoding' })
  })
})

describe('paragraphs', () => {
  it('get their level from their style, its base, or their own properties', async () => {
    const styles = [{ kind: 0 }, { kind: 1 }, { kind: 0xffe, base: 1 }, { kind: 62 }, { kind: 19 }]
    const paragraphs = [
      { text: 'Lamps\r', style: 3 },
      { text: 'Care......3\r', style: 4 },
      { text: 'Care\r', style: 1 },
      { text: 'Dust them.\r' },
      { text: 'Bulbs\r', style: 2 },
      { text: 'No heading\r', style: 1, properties: [0x40, 0x26, 9] },
      { text: 'Low\r', properties: [0x40, 0x26, 2] },
    ]
    expect(await linesIn({ paragraphs, styles })).toEqual([
      'h1: Lamps',
      'h1: Care',
      'paragraph: Dust them.',
      'h1: Bulbs',
      'paragraph: No heading',
      'h3: Low',
    ])
  })

  it('are list items with the visible number', async () => {
    const level = (format: number, text: string) => {
      const head = Buffer.alloc(28)
      head.writeInt32LE(1, 0)
      head[4] = format
      const length = Buffer.alloc(2)
      length.writeUInt16LE(text.length)
      return Buffer.concat([head, length, Buffer.from(text, 'utf16le')])
    }
    const levels = [level(0, '\0.'), level(4, '\u0001)'), ...Array.from({ length: 7 }, () => level(23, 'o'))]
    const definition = Buffer.alloc(28)
    definition.writeInt32LE(77, 0)
    const definitions = Buffer.concat([Buffer.from([1, 0]), definition, ...levels])
    const override = Buffer.alloc(4 + 16 + 4)
    override.writeUInt32LE(1, 0)
    override.writeInt32LE(77, 4)
    const item = (text: string, depth: number) => ({ text, properties: [0x0b, 0x46, 1, 0, 0x0a, 0x26, depth] })
    const paragraphs = [item('One\r', 0), item('In it\r', 1), item('Dot\r', 2), item('Two\r', 0), { text: 'End\r' }]
    expect(await linesIn({ paragraphs, structures: { 73: definitions, 74: override } })).toEqual([
      'list: 1. One\n  a) In it\n    - Dot\n2. Two',
      'paragraph: End',
    ])
  })

  it('are cells of tables', async () => {
    const inTable = [0x16, 0x24, 1]
    const cell = (text: string) => ({ text: `${text}\x07`, properties: inTable })
    const rowEnd = { text: '\x07', properties: [...inTable, 0x17, 0x24, 1] }
    const paragraphs = [
      cell('a'),
      cell(''),
      rowEnd,
      { text: 'first\r', properties: inTable },
      cell('second'),
      cell('d'),
      rowEnd,
    ]
    expect(await linesIn({ paragraphs: [...paragraphs, { text: 'After\r' }] })).toEqual([
      'table: a | \nfirst second | d',
      'paragraph: After',
    ])
  })
})

describe('invisible text', () => {
  it('is removed: hidden and deleted text, field instructions, picture characters', async () => {
    const deleted = [0x00, 0x08, 1]
    const hidden = [0x3c, 0x08, 1]
    const text = 'New old secret \x13 PAGE \x147\x15 end\x01\r'
    const looks = [
      { from: 4, to: 8, properties: deleted },
      { from: 8, to: 15, properties: hidden },
    ]
    const joined = { text: 'One \r', looks: [{ from: 4, to: 5, properties: deleted }] }
    expect(await linesIn({ paragraphs: [{ text, looks }, joined, { text: 'two\r' }] })).toEqual([
      'paragraph: New 7 end',
      'paragraph: One two',
    ])
  })

  it('is replaced by the symbol of its font', async () => {
    const name = Buffer.alloc(39 + 14)
    name.write('Symbol', 39, 'utf16le')
    const fonts = Buffer.concat([Buffer.from([1, 0, 0, 0, name.length]), name])
    const looks = [{ from: 3, to: 4, properties: [0x09, 0x6a, 0, 0, 0x6d, 0xf0] }]
    expect(await linesIn({ paragraphs: [{ text: '15 (g\r', looks }], structures: { 15: fonts } })).toEqual([
      'paragraph: 15 μg',
    ])
  })
})

describe('damaged and hostile files', () => {
  it('are refused if their text cannot be found', async () => {
    const broken = [
      Buffer.from('no compound file'),
      oleOf({ streams: { Other: Buffer.from('x') } }),
      oleOf({ streams: { WordDocument: Buffer.alloc(2000) } }),
      docOf({ paragraphs: [{ text: 'x\r' }], flags: 0x0200 }),
      docOf({ paragraphs: [{ text: 'x\r' }], structures: { 33: Buffer.from([9, 9, 9]) } }),
    ]
    for (const bytes of broken)
      expect(await partsOf(readDoc, bytes)).toMatchObject({ blocks: [], refused: 'file-broken' })
  })

  it('are refused if their piece table covers more text than the file has', async () => {
    const list = Buffer.alloc(4 * 1001 + 8 * 1000)
    for (let index = 0; index <= 1000; index++) list.writeUInt32LE(index * 1_000_000, index * 4)
    const head = Buffer.alloc(5)
    head[0] = 2
    head.writeUInt32LE(list.length, 1)
    const bytes = docOf({ paragraphs: [{ text: 'x\r' }], structures: { 33: Buffer.concat([head, list]) } })
    expect(await partsOf(readDoc, bytes)).toMatchObject({ blocks: [], refused: 'file-broken' })
  })

  it('never throw, truncated anywhere or with any byte changed', async () => {
    const bytes = await readFile(`${fixtures}/test-fields.doc`)
    for (let index = 0; index < bytes.length; index += 997) {
      await partsOf(readDoc, bytes.subarray(0, index))
      const changed = Buffer.from(bytes)
      changed.fill(0xff, index, index + 4)
      await partsOf(readDoc, changed)
    }
  })
})
