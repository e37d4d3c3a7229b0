import { describe, expect, it } from 'vitest'
import { blocksIn, sequenceOf } from '../../../../../tests/support/files/file-parts'
import { chunkDocument } from '../../../chunking/chunk'
import type { Block, Fragment } from '../../../ports/extractor'
import type { Tokenizer } from '../../../ports/search-index'
import { readCsv } from './csv'
import { readRecords } from './records'

const partsOf = (content: string | Uint8Array) => sequenceOf(readCsv, content)
const blocksOf = async (content: string | Uint8Array) => blocksIn(await partsOf(content))

async function recordsOf(chunks: string[]): Promise<string[][]> {
  const records: string[][] = []
  for await (const batch of readRecords(chunks)) records.push(...batch)
  return records
}

/** Counts at least as many tokens as a model does for most texts. */
const tokenizer: Tokenizer = { count: (text) => text.match(/[a-z]{1,3}|\d{1,2}|\S/gi)?.length ?? 0 }

function fragmentsOf(blocks: Block[], title = ''): Fragment[] {
  return chunkDocument({ title, language: 'en', blocks }, tokenizer)
}

const texts = (blocks: Block[]) =>
  blocks.filter((block) => !('standalone' in block)).map(({ text, anchor }) => [anchor, text])

describe('readCsv', () => {
  it('reads row by row, with the names of the columns', async () => {
    const blocks = await blocksOf('Product,Price,Since\nLamp,"1,250.00",2024-01-05\n\n"Chair, ""low""",45.5,\n')
    expect(texts(blocks)).toEqual([
      ['row=2', 'Product: Lamp; Price: 1,250.00; Since: 2024-01-05'],
      ['row=4', 'Product: Chair, "low"; Price: 45.5'],
    ])
  })

  it('ends with a summary', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, index) =>
        `Item ${index},${index / 2},${1 + (index % 9)}.3.2024,${index % 2 ? 'yes' : 'no'},${['open', 'shut'][index % 2]}`,
    )
    const last = (await blocksOf(`Name,Price,Day,Sold,State\n${rows.join('\n')}`)).at(-1)
    expect(last).toEqual({
      kind: 'table',
      text: 'Summary of the table: 40 rows, 5 columns. Columns: Name (text); Price (number, 0 to 19.5); Day (date, 1.3.2024 to 9.3.2024); Sold (yes or no: no, yes); State (text: open, shut).',
      anchor: null,
      standalone: true,
    })
  })

  it.each([1, 3, 5, 12])('keeps nearly all fragments if a row of %i cells is inserted near the top', async (width) => {
    const row = (position: number) =>
      ['Lamp', ...Array.from({ length: width }, (_, cell) => (1_000 + position) * (cell + 3))].join()
    const names = ['name', ...Array.from({ length: width }, (_, cell) => `price ${cell}`)].join()
    const rows = Array.from({ length: 600 }, (_, index) => row(index))
    const hashesOf = async (batch: string[]) => {
      const blocks = await blocksOf([names, ...batch].join('\n'))
      return fragmentsOf(blocks, 'prices.csv').map(({ hash }) => hash)
    }
    const before = await hashesOf(rows)
    const previous = new Set(before)
    const after = await hashesOf([...rows.slice(0, 3), row(5_000), ...rows.slice(3)])
    expect(before.length).toBeGreaterThan(25)
    expect(after.filter((hash) => previous.has(hash)).length).toBeGreaterThan(before.length * 0.75)
    // Nor are the fragments smaller than necessary.
    const tokens = rows.reduce((sum, _, position) => sum + tokenizer.count(`name: ${row(position)}`) + width * 4, 0)
    expect(before.length).toBeLessThan((tokens / 190) * 1.4 + 3)
  })

  it.each([
    ['many columns', Array.from({ length: 200 }, (_, index) => `a rather long name of column ${index}`)],
    ['names of another script', Array.from({ length: 40 }, (_, index) => `${'价'.repeat(20)}${index}`)],
    ['very long names', Array.from({ length: 3 }, (_, index) => `${'verylong'.repeat(12)}${index}`)],
  ])('writes a summary that fits into one fragment and counts the columns it omits: %s', async (_name, names) => {
    const rows = [1, 2].map((row) => names.map((_, index) => row * index).join(','))
    const blocks = await blocksOf([names.join(','), ...rows].join('\n'))
    const title = 'a title that takes much of the room in each fragment '.repeat(5)
    const summaries = fragmentsOf(blocks, title).filter(({ text }) => /Summary|more column/.test(text))
    expect(summaries).toHaveLength(1)
    const [, columns, list = '', more = '0'] =
      /^Summary of the table: 2 rows, (\d+) columns\. Columns: (.*?)(?:; and (\d+) more columns?)?\.$/.exec(
        summaries[0]?.text ?? '',
      ) ?? []
    expect(columns).toBe(`${names.length}`)
    expect(list.split('; ').length + Number(more)).toBe(names.length)
  })

  it.each([
    ['semicolons with decimal commas', 'a;b;c\n1,5;2,5;3,5\n4,5;5,5;6,5', 'a: 1,5; b: 2,5; c: 3,5'],
    ['decimal commas without a header', '1,5;2,5\n4,5;5,5\n7,5;8,5', '1,5; 2,5'],
    ['tabs', 'name\tsize\nx, y\t5\nz\t7', 'name: x, y; size: 5'],
    ['vertical bars', 'name|size\nx, y|5\nz|7', 'name: x, y; size: 5'],
    ['a first line that names the separator', 'sep=;\r\nname;size\r\nx,y;5\r\nz,w;7', 'name: x,y; size: 5'],
    ['a byte order mark and carriage returns', '\ufeffname,size\rx,5\ry,7', 'name: x; size: 5'],
    ['one column', 'size\n5\n7', 'size: 5'],
    [
      'only texts',
      'question,answer\nWho are you,A maker of lamps and chairs\nWhy lamps,They give light',
      'question: Who are you; answer: A maker of lamps and chairs',
    ],
  ])('detects the dialect: %s', async (_name, content, expected) => {
    expect((await blocksOf(content))[0]?.text).toBe(expected)
  })

  it('separates values that contain the separator, and keeps them on one line', async () => {
    expect((await blocksOf('name,size\n"a; b\n c",5\nd,7'))[0]?.text).toBe('name: a; b c | size: 5')
  })

  it('reads a title above the names of the columns', async () => {
    const blocks = await blocksOf(
      'Prices of the year,,\nAll in euros,,\n,,\nProduct,Price,Stock\nLamp,12,1\nChair,45,2',
    )
    expect(texts(blocks)).toEqual([
      ['row=1', 'Prices of the year\nAll in euros'],
      ['row=5', 'Product: Lamp; Price: 12; Stock: 1'],
      ['row=6', 'Product: Chair; Price: 45; Stock: 2'],
    ])
  })

  it('reads a table without names of columns', async () => {
    expect((await blocksOf('1,2020-01-01,5\n2,2020-01-02,6'))[0]).toMatchObject({
      text: '1; 2020-01-01; 5',
      anchor: 'row=1',
    })
  })

  it.each([
    ['names and years', 'Country,2019,2020\nA,1,2\nB,3,4', 'Country: A; 2019: 1; 2020: 2'],
    [
      'years that are not in order',
      'Country,Code,2020,2019,2018\nA,x,1,2,3',
      'Country: A; Code: x; 2020: 1; 2019: 2; 2018: 3',
    ],
    ['an empty corner', ',2019,2020\nA,1,2\nB,3,4', 'A; 2019: 1; 2020: 2'],
    ['gaps below', 'Country,2019,2020\nA,,2\nB,3,\nC,1.5,2000', 'Country: A; 2020: 2'],
  ])('recognizes years as names of columns: %s', async (_name, content, expected) => {
    const blocks = await blocksOf(content)
    expect(blocks[0]).toMatchObject({ text: expected, anchor: 'row=2' })
    expect(blocks.at(-1)?.text ?? '').not.toMatch(/to 20(?:19|20)\)/)
  })

  it.each([
    ['years below', 'Anna,1995,2003\nBob,1990,2001\nEve,1980,1999'],
    ['the same number twice', 'Anna,2000,2000\nBob,15,7\nEve,8,9'],
    ['nothing but numbers', '1999,2003,2001\n1,2,3\n4,5,6'],
    ['a number that is no year', 'Anna,1995,2003,2500\nBob,15,7,4\nEve,8,9,6'],
  ])('does not take values for years in a header: %s', async (_name, content) => {
    expect((await blocksOf(content))[0]).toMatchObject({ anchor: 'row=1' })
  })

  it.each([
    ['a few rows', 'Anna,Berlin,Germany\nBob,Paris,France\nEve,Rome,Italy'],
    ['two columns', 'Lamp,Hall\nChair,Kitchen\nSofa,Living room\nDesk,Office'],
    [
      'repeated values',
      'Anna,Bern,Switzerland\nBob,Paris,France\nEve,Rome,Italy\nUte,Lyon,France\nKim,Pisa,Italy\nAl,Bari,Italy\nMax,Oslo,Norway',
    ],
    ['a form', 'Name,Anna\nCity,Berlin\nCountry,Germany\nPhone,none'],
    ['numbered values', 'Group 1,Anna\nGroup 2,Bob\nGroup 3,Eve'],
    ['a place that ends like a name', 'New York City,America\nParis,France\nRome,Italy'],
    ['one short text', 'Lamp,Gives light\nChair,For those who want to sit down\nSofa,For those who want to lie down'],
  ])('keeps the first row of texts without a header: %s', async (_name, content) => {
    const [first, second] = content.split('\n').map((line) => line.replaceAll(',', '; '))
    expect(texts(await blocksOf(content)).slice(0, 2)).toEqual([
      ['row=1', first],
      ['row=2', second],
    ])
  })

  it.each([
    [
      'common names of columns',
      'Name,City,Country\nAnna,Berlin,Germany\nBob,Paris,France',
      'Name: Anna; City: Berlin; Country: Germany',
    ],
    ['names in another language', 'Vorname;Ort\nAnna;Berlin\nBob;Paris', 'Vorname: Anna; Ort: Berlin'],
    [
      'names of several words',
      'Company name,Contact person\nAcme,Anna\nBolt,Bob',
      'Company name: Acme; Contact person: Anna',
    ],
    ['identifiers', 'plantGenus,leaf_form\nAcer,palmate\nTilia,heart', 'plantGenus: Acer; leaf_form: palmate'],
    ['capitals', 'PLANT,LEAF\nAcer,Palmate\nTilia,Heart\nSalix,Narrow', 'PLANT: Acer; LEAF: Palmate'],
    [
      'characters that only values have',
      'Plant,Herbarium\nAcer,B-17\nTilia,K-4\nSalix,K-22',
      'Plant: Acer; Herbarium: B-17',
    ],
    [
      'repeated values',
      `Plant,Habitat\n${['Acer', 'Tilia', 'Salix', 'Ulmus', 'Alnus', 'Fagus'].map((name, index) => `${name},${index % 2 ? 'Forest' : 'River'}`).join('\n')}`,
      'Plant: Acer; Habitat: River',
    ],
  ])('finds the header of a table of texts: %s', async (_name, content, expected) => {
    expect((await blocksOf(content))[0]).toMatchObject({ text: expected, anchor: 'row=2' })
  })

  it('splits long rows at their cells, each part with the first cell', async () => {
    const names = ['k', ...Array.from({ length: 150 }, (_, index) => `column${index + 2}`)]
    const row = (name: string) => [name, ...names.slice(1).map((_, index) => `number ${index}`)].join(',')
    const blocks = await blocksOf([names.join(','), row('r1'), row('r2')].join('\n'))
    const fragments = fragmentsOf(blocks, 'Measures of all the lamps').filter(({ text }) => !text.startsWith('Summary'))
    expect(fragments.length).toBeGreaterThan(8)
    expect(fragments[0]?.text).toMatch(/^k: r1\ncolumn2: number 0\n/)
    for (const { text, anchor } of fragments) {
      expect(text).toMatch(anchor === 'row=2' ? /^k: r1\n/ : /^k: r2\n/)
      for (const line of text.split('\n').slice(1)) expect(line).toMatch(/^column\d+: number \d+$/)
    }
    for (const [index, name] of names.slice(1).entries()) {
      expect(
        fragments.filter(
          ({ text }) => text.includes(`\n${name}: number ${index}\n`) || text.endsWith(`\n${name}: number ${index}`),
        ),
      ).toHaveLength(2)
    }
  })

  it('splits a long cell, each part with the start of the first cell', async () => {
    const long = 'It gives much light. '.repeat(60).trim()
    const key = `${'The lamp that stands in the hall beside the door '.repeat(5)}end`
    const blocks = await blocksOf(`name,text,size\n${key},${long},7\nb,c,8`)
    const parts = fragmentsOf(blocks).filter(({ anchor, text }) => anchor === 'row=2' && !text.startsWith('Summary'))
    expect(parts.length).toBeGreaterThan(1)
    for (const { text } of parts) expect(text).toMatch(/^name: The lamp that stands in the hall .*…\n/)
    expect(parts[0]?.text).toContain(`name: ${key}`)
    expect(parts.at(-1)?.text).toContain('size: 7')
  })

  it('looks for names of columns in linear time', async () => {
    const row = (text: string) => Array.from({ length: 16_384 }, (_, index) => `${text}y${index}`).join(',')
    const blocks = await blocksOf(Array.from({ length: 20 }, (_, index) => row(`x${index}`)).join('\n'))
    expect(blocks[0]?.anchor).toBe('row=1')
  })

  it('reads rows of any length', async () => {
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
    [Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 37) % 256)), 'file-mismatch'],
  ])('refuses empty and binary files', async (content, reason) => {
    expect((await partsOf(content)).at(-1)).toEqual({ kind: 'refused', reason })
  })

  it('reads a file with only the names of columns', async () => {
    expect(texts(await blocksOf('name,size\n'))).toEqual([['row=1', 'name; size']])
  })

  it('reads UTF-16 and removes null characters', async () => {
    expect((await blocksOf(Buffer.from('\ufeffname,size\nä,5\nb,6', 'utf16le')))[0]?.text).toBe('name: ä; size: 5')
    expect((await blocksOf(`name,size\nx\0y,5\nb,6\n${'c,7\n'.repeat(50)}`))[0]?.text).toBe('name: xy; size: 5')
  })

  it('bounds blocks and reports progress for any lines', async () => {
    for (const content of [
      'a'.repeat(6e6),
      'a,'.repeat(3e6),
      `"${'a'.repeat(6e6)}`,
      '"a'.repeat(1e6),
      'a,"b\n'.repeat(3e5),
    ]) {
      const parts = await partsOf(content)
      expect(blocksIn(parts).reduce((max, { text }) => Math.max(max, text.length), 0)).toBeLessThanOrEqual(256 * 1024)
      expect(parts.filter(({ kind }) => kind === 'progress').length).toBeGreaterThan(3)
      expect(parts.at(-1)?.kind).not.toBe('refused')
    }
  })
})

describe('readRecords', () => {
  const content = `a,"b ""c""\r\nd",e\r\n${'f,"g,h",i\r\n'.repeat(200_000)}`

  it('does not depend on how the text is divided into chunks', async () => {
    const expected = await recordsOf([content])
    expect(expected).toHaveLength(200_002)
    expect(expected.slice(0, 2)).toEqual([
      ['a', 'b "c"\r\nd', 'e'],
      ['f', 'g,h', 'i'],
    ])
    const chunks = Array.from({ length: Math.ceil(content.length / 9973) }, (_, index) =>
      content.slice(9973 * index, 9973 * (index + 1)),
    )
    expect(await recordsOf(chunks)).toEqual(expected)
  })

  it('continues after an unclosed quote', async () => {
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

  it.each([
    ['a cell', `a,b\n1,${'long '.repeat(7_000)}\n`],
    ['a row', `a,b\n${Array(20).fill('long '.repeat(4_000)).join(',')}\n`],
    ['the first row', `${'long '.repeat(7_000)},b\n1,2\n`],
    ['more columns than a table has', `a,b\n${'1,'.repeat(16_384)}2\n`],
    ['a record without an end', `a,b\n"${'long '.repeat(700_000)}`],
  ])('truncates what is over a limit, with a note: %s', async (_what, content) => {
    expect((await partsOf(content)).filter(({ kind }) => kind === 'note')).toEqual([
      { kind: 'note', reason: 'file-shortened' },
    ])
  })

  it('does not truncate what is within the limits', async () => {
    for (const content of [
      `a,b\n1,${'x'.repeat(32_767)}\n`,
      `a,b\n${'1,'.repeat(16_383)}2,,,\n`,
      `a,b\n"${'x '.repeat(9_000)}\n`,
    ]) {
      expect((await partsOf(content)).filter(({ kind }) => kind === 'note')).toEqual([])
    }
  })

  it('recognizes line ends of one and two characters', async () => {
    expect(await recordsOf(['a,b\nc,d\r\ne,"f"\r\n'])).toEqual([['a', 'b'], ['c', 'd'], ['e', 'f'], ['']])
  })

  it('truncates a record that is too long, but not the next one', async () => {
    const records = await recordsOf([`a,b\n${'c'.repeat(1_500_000)}`, `${'c'.repeat(1_500_000)},d\ne,f\n`])
    expect(records.map((record) => record[0]?.[0])).toEqual(['a', 'c', 'e', undefined])
    expect(records[2]).toEqual(['e', 'f'])
  })
})
