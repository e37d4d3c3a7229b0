import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Block, FilePart } from '../ports'
import { readCsv } from './csv'
import { readRecords } from './csv-records'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csv-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function partsOf(content: string | Uint8Array): Promise<FilePart[]> {
  const path = join(folder, 'file.csv')
  await writeFile(path, content)
  const parts: FilePart[] = []
  for await (const part of readCsv(path)) parts.push(part)
  return parts
}

async function blocksOf(content: string | Uint8Array): Promise<Block[]> {
  return (await partsOf(content)).flatMap((part) => (part.kind === 'blocks' ? part.blocks : []))
}

async function recordsOf(pieces: string[]): Promise<string[][]> {
  const records: string[][] = []
  for await (const batch of readRecords(pieces)) records.push(...batch)
  return records
}

const texts = (blocks: Block[]) =>
  blocks.filter((block) => !('alone' in block)).map(({ text, anchor }) => [anchor, text])

describe('a CSV file', () => {
  it('is read row by row, with the names of the columns', async () => {
    const blocks = await blocksOf('Product,Price,Since\nLamp,"1,250.00",2024-01-05\n\n"Chair, ""low""",45.5,\n')
    expect(texts(blocks)).toEqual([
      ['row=2', 'Product: Lamp; Price: 1,250.00; Since: 2024-01-05'],
      ['row=4', 'Product: Chair, "low"; Price: 45.5'],
    ])
  })

  it('is summed up at its end', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, at) => `Item ${at},${at / 2},${1 + (at % 9)}.3.2024,${at % 2 ? 'yes' : 'no'},${['open', 'shut'][at % 2]}`,
    )
    const last = (await blocksOf(`Name,Price,Day,Sold,State\n${rows.join('\n')}`)).at(-1)
    expect(last).toEqual({
      kind: 'paragraph',
      text: 'Summary of the table: 40 rows, 5 columns. Columns: Name (text); Price (number, 0 to 19.5); Day (date, 1.3.2024 to 9.3.2024); Sold (yes or no: no, yes); State (text: open, shut).',
      anchor: null,
      alone: true,
    })
  })

  it('has a summary of at most 180 words, whatever its columns are called', async () => {
    const name = (at: number) => `a rather long name of column ${at}`
    const wide = [0, 1, 2].map((row) => Array.from({ length: 200 }, (_, at) => (row ? row * at : name(at))).join(','))
    const { text = '' } = (await blocksOf(wide.join('\n'))).at(-1) ?? {}
    expect(text).toMatch(/^Summary of the table: 2 rows, 200 columns\. .*; and \d+ more\.$/)
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(180)
  })

  it.each([
    ['semicolons beside decimal commas', 'a;b;c\n1,5;2,5;3,5\n4,5;5,5;6,5', 'a: 1,5; b: 2,5; c: 3,5'],
    ['decimal commas without a header', '1,5;2,5\n4,5;5,5\n7,5;8,5', '1,5; 2,5'],
    ['tabs', 'name\tsize\nx, y\t5\nz\t7', 'name: x, y; size: 5'],
    ['strokes', 'name|size\nx, y|5\nz|7', 'name: x, y; size: 5'],
    ['a first line that says so', 'sep=;\r\nname;size\r\nx,y;5\r\nz,w;7', 'name: x,y; size: 5'],
    ['a mark and line ends of old systems', '\ufeffname,size\rx,5\ry,7', 'name: x; size: 5'],
    ['one column', 'size\n5\n7', 'size: 5'],
    [
      'texts alone',
      'question,answer\nWho are you,A maker of lamps and chairs\nWhy lamps,They give light',
      'question: Who are you; answer: A maker of lamps and chairs',
    ],
  ])('is told by its start: %s', async (_name, content, expected) => {
    expect((await blocksOf(content))[0]?.text).toBe(expected)
  })

  it('keeps values apart that hold the separator, and on one line', async () => {
    expect((await blocksOf('name,size\n"a; b\n c",5\nd,7'))[0]?.text).toBe('name: a; b c | size: 5')
  })

  it('has its title above the names of the columns', async () => {
    const blocks = await blocksOf(
      'Prices of the year,,\nAll in euros,,\n,,\nProduct,Price,Stock\nLamp,12,1\nChair,45,2',
    )
    expect(texts(blocks)).toEqual([
      ['row=1', 'Prices of the year\nAll in euros'],
      ['row=5', 'Product: Lamp; Price: 12; Stock: 1'],
      ['row=6', 'Product: Chair; Price: 45; Stock: 2'],
    ])
  })

  it('is read without names where it has none', async () => {
    expect((await blocksOf('1,2020-01-01,5\n2,2020-01-02,6'))[0]).toMatchObject({
      text: '1; 2020-01-01; 5',
      anchor: 'row=1',
    })
  })

  it('may have rows of any length', async () => {
    const blocks = await blocksOf('name,size\na,1\nb\nc,3,more\n,4')
    expect(texts(blocks).map(([, text]) => text)).toEqual([
      'name: a; size: 1',
      'name: b',
      'name: c; size: 3; more',
      'size: 4',
    ])
  })

  it.each([
    ['', 'file-empty'],
    ['\n,,\n""\n', 'file-empty'],
    [Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 37) % 256)), 'file-mismatch'],
  ])('is refused where nothing is in it', async (content, reason) => {
    expect((await partsOf(content)).at(-1)).toEqual({ kind: 'refused', reason })
  })

  it('that has the names of columns alone is read as these', async () => {
    expect(texts(await blocksOf('name,size\n'))).toEqual([['row=1', 'name; size']])
  })

  it('in UTF-16 is read, and zeros are left out', async () => {
    expect((await blocksOf(Buffer.from('\ufeffname,size\nä,5\nb,6', 'utf16le')))[0]?.text).toBe('name: ä; size: 5')
    expect((await blocksOf(`name,size\nx\0y,5\nb,6\n${'c,7\n'.repeat(50)}`))[0]?.text).toBe('name: xy; size: 5')
  })

  it('is read in little memory, whatever its lines are, and tells how far it is', async () => {
    for (const content of [
      'a'.repeat(6e6),
      'a,'.repeat(3e6),
      `"${'a'.repeat(6e6)}`,
      '"a'.repeat(1e6),
      'a,"b\n'.repeat(3e5),
    ]) {
      const parts = await partsOf(content)
      const blocks = parts.flatMap((part) => (part.kind === 'blocks' ? part.blocks : []))
      expect(blocks.reduce((most, { text }) => Math.max(most, text.length), 0)).toBeLessThanOrEqual(256 * 1024)
      expect(parts.filter(({ kind }) => kind === 'progress').length).toBeGreaterThan(3)
      expect(parts.at(-1)?.kind).not.toBe('refused')
    }
  })
})

describe('records', () => {
  const content = `a,"b ""c""\r\nd",e\r\n${'f,"g,h",i\r\n'.repeat(200_000)}`

  it('are the same, however the text is cut', async () => {
    const whole = await recordsOf([content])
    expect(whole).toHaveLength(200_002)
    expect(whole.slice(0, 2)).toEqual([
      ['a', 'b "c"\r\nd', 'e'],
      ['f', 'g,h', 'i'],
    ])
    const pieces = Array.from({ length: Math.ceil(content.length / 9973) }, (_, at) =>
      content.slice(9973 * at, 9973 * (at + 1)),
    )
    expect(await recordsOf(pieces)).toEqual(whole)
  })

  it('go on behind a quote that nothing closes', async () => {
    expect(await recordsOf(['a,b\n1,"x\n2,y\n3,z'])).toEqual([
      ['a', 'b'],
      ['1', '"x'],
      ['2', 'y'],
      ['3', 'z'],
    ])
    const lines = 'n,12345678901234567890\n'
    const records = await recordsOf([`a,b\n1,"x\n${lines.repeat(100_000)}`])
    expect(records).toHaveLength(100_003)
    expect(records.slice(1, 3)).toEqual([
      ['1', '"x'],
      ['n', '12345678901234567890'],
    ])
  })

  it('end at their line end, whether it is one sign or two', async () => {
    expect(await recordsOf(['a,b\nc,d\r\ne,"f"\r\n'])).toEqual([['a', 'b'], ['c', 'd'], ['e', 'f'], ['']])
  })

  it('that are too long are cut, and the next one is whole', async () => {
    const records = await recordsOf([`a,b\n${'c'.repeat(1_500_000)}`, `${'c'.repeat(1_500_000)},d\ne,f\n`])
    expect(records.map((record) => record[0]?.[0])).toEqual(['a', 'c', 'e', undefined])
    expect(records[2]).toEqual(['e', 'f'])
  })
})
