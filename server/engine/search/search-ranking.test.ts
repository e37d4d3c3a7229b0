import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type IndexDatabase, openIndexDatabase } from '../../../tests/support/database/index-database'
import { createTokenizer } from '../../adapters/embedding/model-tokenizer'
import { createSqliteTextIndex } from '../../adapters/text-index/text-index'
import { type IndexedFragment, search } from './hybrid-search'

const tokenizer = createTokenizer(resolve(import.meta.dirname, '../../../models/all-MiniLM-L6-v2'))
let opened: IndexDatabase
beforeAll(async () => {
  opened = await openIndexDatabase()
})
afterAll(() => opened.close())

let collectionId: string
let number = 0
beforeEach(() => {
  collectionId = crypto.randomUUID()
})

/** The titles of the pages that keywords find, best first. Each page is one fragment. */
async function found(query: string, pages: { title: string; text: string }[], languages = ['en']): Promise<string[]> {
  const textIndex = createSqliteTextIndex({ search: opened.search })
  const fragments: IndexedFragment[] = pages.map((page) => ({
    ...page,
    key: ++number,
    addressId: page.title,
    url: 'https://lamps.example',
    headings: '',
    innerHeadings: '',
    language: languages[0] ?? '',
  }))
  await opened.database.write((tx) =>
    textIndex.add(
      tx,
      fragments.map((fragment) => ({ ...fragment, collectionId })),
    ),
  )
  const index = {
    textIndex,
    vectorIndex: { search: async () => [], cosines: async () => [] },
    embedder: null,
    tokenizer,
    languages,
    loadFragments: async (keys: number[]) => fragments.filter(({ key }) => keys.includes(key)),
    countPendingEmbeddings: async () => 0,
    ranker: opened.search,
  }
  const { hits } = await search(index, { collectionId, query, limit: 10, threshold: 0 })
  return hits.map(({ fragment }) => fragment.title)
}

const manual = Array.from({ length: 20 }, (_, n) => ({
  title: `Chapter ${n}`,
  text: `The pages of this chapter of the manual are about the rest of what you can do with it: number ${n}.`,
}))

test('finds a service by its name, and no statement that starts with the same letters', async () => {
  const pages = [
    { title: 'ALTER SYSTEM', text: 'ALTER SYSTEM SET parameter TO value' },
    {
      title: 'Starting',
      text: 'The server of this manual is started by systemd, which is the manager of your services.',
    },
  ]
  expect(await found('systemd', [...pages, ...manual])).toEqual(['Starting'])
})

test('prefers the row of a function to a page that uses its name', async () => {
  const use = 'The lag of a standby is what it has not yet received from the server with the data of this manual.'
  const pages = [
    { title: 'Standby', text: use },
    {
      title: 'Window functions',
      text: 'Function | Result\nrank() | The rank of the row\nlag(value) | The value before',
    },
  ]
  expect((await found('lag', [...pages, ...manual]))[0]).toBe('Window functions')
})

test.each(['NOT (operator)', 'Any'])('finds stop words that a short query is about: %s', async (query) => {
  const pages = [
    {
      title: 'Operators',
      text: 'An operator of SQL is a sign, and this operator is for you: operator after operator.',
    },
    {
      title: 'Logic',
      text: 'NOT (operator)\nIt is true if the value is false.\nAny (operator)\nIt is true if one is.',
    },
  ]
  expect((await found(query, [...pages, ...manual]))[0]).toBe('Logic')
})

test('prefers the table row of a part number to a page that names it often', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => `HX-${7720 + n} | gasket of size ${n} | ${n} €`)
  const often = 'The HX-7731 is new. Buy the HX-7731 now: the HX-7731 fits. The HX-7731, only here: HX-7731.'
  const pages = [
    { title: 'News', text: often },
    { title: 'Prices', text: ['Part | Name | Price', ...rows].join('\n') },
  ]
  expect(await found('HX-7731', [...pages, ...manual])).toEqual(['Prices', 'News'])
})
