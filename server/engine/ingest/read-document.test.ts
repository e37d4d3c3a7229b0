import { createHash } from 'node:crypto'
import { type BookType, utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import type { FileType } from '../../../contract/sources/file'
import { docxOf, paragraphOf } from '../../../tests/support/files/docx'
import { sequenceOf } from '../../../tests/support/files/file-parts'
import type { FileFacts, FilePart, FileReading } from '../documents/ports'
import { readFileParts } from '../documents/read-file'
import type { Block } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'
import { readDocument } from './read-document'

const tokenizer: Tokenizer = { count: (text) => (text.match(/[^\s]{1,6}/g) ?? []).length }
const facts = (title = '', language = ''): FilePart => {
  const nothing: Omit<FileFacts, 'title' | 'language'> = { publishedAt: null, modifiedAt: null }
  return { kind: 'facts', facts: { title, language, ...nothing } }
}
const paragraph = (text: string, anchor: string | null = null): Block => ({ kind: 'paragraph', text, anchor })
const blocks = (...batch: Block[]): FilePart => ({ kind: 'blocks', blocks: batch })

async function read(parts: Iterable<FilePart>, name = 'lamps.pdf'): Promise<FileReading[]> {
  async function* each() {
    yield* parts
  }
  const readings: FileReading[] = []
  for await (const reading of readDocument(each(), { name }, tokenizer)) readings.push(reading)
  return readings
}

const fragmentsOf = (readings: FileReading[]) =>
  readings.flatMap((reading) => (reading.kind === 'fragments' ? reading.fragments : []))

const unseen = 'The \u200blamp\u2060 bur\u00adns\u{e0041}\u{e0042}\u202e \u0645\u06cc\u200c\u062e.'
const seen = 'The lamp burns \u0645\u06cc\u200c\u062e.'

function workbookOf(bookType: BookType): Buffer {
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Na\u200bme', 'Text'],
      ['Hall', unseen],
      ['Yard', unseen],
    ]),
    'Lamps',
  )
  return write(book, { type: 'buffer', bookType }) as Buffer
}

const filesWithUnseen: [FileType, Buffer][] = [
  ['txt', Buffer.from(unseen)],
  ['csv', Buffer.from(`Na\u200bme,Text\nHall,${unseen}\nYard,${unseen}\n`)],
  ['xls', workbookOf('biff8')],
  ['xlsx', workbookOf('xlsx')],
  ['docx', docxOf({ body: paragraphOf(unseen) })],
]

describe('readDocument', () => {
  it.each(filesWithUnseen)('removes invisible characters: %s', async (type, bytes) => {
    const parts = await sequenceOf((path) => readFileParts({ path, name: 'lamps', type }), bytes)
    const readings = await read([facts('A \u{e0049}title'), ...parts.slice(1)])
    const text = fragmentsOf(readings)
      .map((fragment) => fragment.text)
      .join('\n')
    expect(text).toContain(seen)
    expect(text).not.toMatch(/[\u00ad\u200b\u2060\u202e]|[\u{e0000}-\u{e007f}]/u)
    expect(readings).toContainEqual(
      expect.objectContaining({ kind: 'facts', facts: expect.objectContaining({ title: 'A title' }) }),
    )
  })

  it('ignores an invisible heading', async () => {
    const care: Block = { kind: 'heading', level: 1, text: 'Care', anchor: null }
    const empty: Block = { kind: 'heading', level: 2, text: '\u200b', anchor: null }
    expect(fragmentsOf(await read([facts('Lamps'), blocks(care, empty, paragraph('Wipe it.'))]))).toMatchObject([
      { headings: ['Care'], text: 'Wipe it.' },
    ])
  })

  it('does not repeat the title in the first section', async () => {
    const heading = (text: string, level = 1): Block => ({ kind: 'heading', level, text, anchor: null })
    const [title, care] = [heading('Lamps'), heading('Care')]
    expect(fragmentsOf(await read([facts('Lamps'), blocks(title, care, paragraph('Wipe it.'))]))).toMatchObject([
      { title: 'Lamps', headings: ['Care'], text: 'Wipe it.' },
    ])
    expect(
      fragmentsOf(await read([facts('Lamps'), blocks(title, paragraph('It hums.'), care, paragraph('Wipe it.'))])),
    ).toMatchObject([{ text: 'It hums.' }, { headings: ['Care'], text: 'Wipe it.' }])
  })

  it('yields facts, progress, fragments with anchors, and the text hash', async () => {
    const progress: FilePart = { kind: 'progress', done: 1, total: 2 }
    const first = blocks({ kind: 'heading', level: 1, text: 'Care', anchor: 'page=1' }, paragraph('Wipe it.', 'page=1'))
    const second = blocks(
      { kind: 'heading', level: 1, text: 'Parts', anchor: 'page=2' },
      paragraph('A wick.', 'page=2'),
    )
    const readings = await read([facts(' Storm lamps ', 'en'), first, progress, second])
    expect(readings.map(({ kind }) => kind)).toEqual(['progress', 'facts', 'fragments', 'end'])
    expect(fragmentsOf(readings)).toMatchObject([
      { ordinal: 0, title: 'Storm lamps', headings: ['Care'], text: 'Wipe it.', anchor: 'page=1', language: 'en' },
      { ordinal: 1, title: 'Storm lamps', headings: ['Parts'], text: 'A wick.', anchor: 'page=2', language: 'en' },
    ])
    const textHash = createHash('sha256').update('Care\nWipe it.\nParts\nA wick.').digest('hex')
    expect(readings.at(-1)).toEqual({ kind: 'end', textHash })
  })

  it('detects the language of a file from its start', async () => {
    const german = 'Die Lampe brennt mit einer Füllung so lange, wie es in der Anleitung steht, und nicht länger.'
    const readings = await read([
      facts('Lampen'),
      { kind: 'progress', done: 1, total: 2 },
      blocks({ kind: 'code', text: 'the is and of to in that it was for with as on be at by this', anchor: null }),
      ...Array.from({ length: 100 }, (_, index) => blocks(paragraph(`${index}. ${german}`))),
    ])
    expect(readings[0]).toMatchObject({ kind: 'progress' })
    expect(readings[1]).toMatchObject({ kind: 'facts', facts: { title: 'Lampen', language: 'de' } })
    expect(readings.filter(({ kind }) => kind === 'facts')).toHaveLength(1)
    const fragments = fragmentsOf(readings)
    expect(new Set(fragments.map(({ language }) => language))).toEqual(new Set(['de']))
    const said = fragments.map(({ text }) => text).join(' ')
    for (let index = 0; index < 100; index++) expect(said).toContain(`${index}. Die Lampe`)
  })

  it.each([
    ['prose', 'de', 'en-us', paragraph('Die Lampe brennt so lange, wie es in der Anleitung steht, und nicht länger.')],
    ['a sheet', 'de', 'en-us', paragraph('Bezeichnung: Lampe; Einzelpreis: 12', 'sheet=A&row=2')],
    ['Cyrillic', '', 'en-us', paragraph('Лампа 40 Фитиль 7')],
    ['names', 'en-us', 'en-us', paragraph('Anna: 12; Bob: 14')],
    ['the claimed language', 'de-at', 'de-at', paragraph('Die Lampe brennt mit einer Füllung, und sie ist nicht neu.')],
  ])('tells the language by the text, not by what the file claims: %s', async (_text, language, claimed, block) => {
    const readings = await read([facts('', claimed), blocks(block)])
    expect(readings[0]).toMatchObject({ kind: 'facts', facts: { language } })
    expect(fragmentsOf(readings)).toMatchObject([{ language }])
  })

  it('leaves an undetected language empty', async () => {
    const readings = await read([facts(), blocks(paragraph('Anna: 12; Bob: 14'))])
    expect(readings[0]).toMatchObject({ kind: 'facts', facts: { language: '' } })
    expect(fragmentsOf(readings)).toMatchObject([{ language: '' }])
  })

  it('uses the file name without a title', async () => {
    expect(fragmentsOf(await read([facts(), blocks(paragraph('Text.'))], 'prices.csv'))[0]?.title).toBe('prices.csv')
    expect(fragmentsOf(await read([blocks(paragraph('Text.'))], 'notes.txt'))[0]?.title).toBe('notes.txt')
  })

  it('reads a file of only headings', async () => {
    const headings = ['Storm lamps', 'Call us at 555 123 456'].map(
      (text): Block => ({ kind: 'heading', level: 1, text, anchor: null }),
    )
    const readings = await read([facts('', 'en'), blocks(...headings)], 'lamps.docx')
    expect(fragmentsOf(readings).map(({ text }) => text)).toEqual(['Storm lamps\nCall us at 555 123 456'])
    expect(readings.at(-1)?.kind).toBe('end')
  })

  it('refuses an empty file, and stops when the reader refuses', async () => {
    const empty: FileReading = { kind: 'refused', reason: 'file-empty' }
    expect(await read([])).toEqual([empty])
    expect(await read([facts(), blocks(paragraph(''), paragraph('\u200b'))])).toEqual([facts(), empty])
    const broken: FilePart = { kind: 'refused', reason: 'file-broken' }
    expect(await read([facts(), broken, blocks(paragraph('after'))])).toEqual([facts(), broken])
  })

  it('yields notes about the file', async () => {
    const note: FilePart = { kind: 'note', reason: 'file-cut', pages: 7 }
    const readings = await read([facts(), blocks(paragraph('Text.')), note])
    expect(readings.map(({ kind }) => kind)).toEqual(['facts', 'note', 'fragments', 'end'])
    expect(readings).toContainEqual(note)
  })

  it('removes NUL and lone surrogates', async () => {
    const [fragment] = fragmentsOf(await read([facts('A\0 \udc00'), blocks(paragraph('St\0orm \ud83d lamps'))]))
    expect(fragment).toMatchObject({ title: 'A \ufffd', text: 'Storm \ufffd lamps' })
  })

  it('gives a standalone block its own fragment', async () => {
    const summary: Block = { kind: 'paragraph', text: 'Columns: name, price', anchor: 'sheet=A', standalone: true }
    const readings = await read([blocks(paragraph('before'), summary, paragraph('row', 'sheet=A&row=2'))])
    expect(fragmentsOf(readings).map(({ text, anchor }) => ({ text, anchor }))).toEqual([
      { text: 'before', anchor: null },
      { text: 'Columns: name, price', anchor: 'sheet=A' },
      { text: 'row', anchor: 'sheet=A&row=2' },
    ])
  })

  it('yields a long file completely, in small batches', async () => {
    function* rows(): Generator<FilePart> {
      for (let row = 2; row < 20_000; row++) yield blocks(paragraph(`lamp: number ${row} costs: ${row}`, `row=${row}`))
    }
    const readings = await read(rows())
    const fragments = fragmentsOf(readings)
    expect(fragments.map(({ ordinal }) => ordinal)).toEqual(fragments.map((_, index) => index))
    const text = fragments.map((fragment) => fragment.text).join('\n')
    expect(text.match(/^lamp: number \d+ costs: \d+$/gm)).toHaveLength(19_998)
    for (const reading of readings) {
      if (reading.kind === 'fragments') expect(reading.fragments.length).toBeLessThanOrEqual(32)
    }
  })

  it('splits a long block into fragments', async () => {
    const words = 'word '.repeat(400_000)
    const endless = 'x'.repeat(3_000_000)
    const table: Block = { kind: 'table', text: `name | price\n${'lamp | 9\n'.repeat(100_000)}last | 1`, anchor: null }
    for (const block of [paragraph(words), paragraph(endless), paragraph('\u{1f600}'.repeat(500_000)), table]) {
      const fragments = fragmentsOf(await read([blocks(block)]))
      expect(fragments.length).toBeGreaterThan(0)
      for (const { text, tokens } of fragments) {
        expect(tokens).toBeLessThanOrEqual(254)
        expect(text.length).toBeLessThan(20_000)
        expect(text.isWellFormed()).toBe(true)
        if (block === table) expect(text).toMatch(/^name \| price\n/)
      }
    }
  })
})
