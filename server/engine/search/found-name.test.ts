import { expect, test } from 'vitest'
import type { KeywordHits } from '../ports/search-index'
import { isFoundName } from './found-name'

const passage = { title: '', headings: '', innerHeadings: '', text: '' }
const found: KeywordHits = { hits: [{ key: 1, score: 1 }], expansions: new Map() }
const isName = (text: string, fragment = {}, keyword = found) =>
  isFoundName({ text, identifiers: [] }, keyword, async () => [{ ...passage, ...fragment }])

test('a single word or code that occurs is a name', async () => {
  expect(await isName('PathLike')).toBe(true)
  expect(await isName(' dis() ')).toBe(true)
})

test.each([
  ['a title', { title: 'Context managers' }],
  ['a heading', { headings: 'Statements / Context managers' }],
  ['a heading within the text', { innerHeadings: 'Context managers' }],
  ['the first cell of a row', { text: 'Term | Section\ncontext managers | 3.3' }],
])('two words that are %s are a name', async (_, fragment) => {
  expect(await isName('context managers', fragment)).toBe(true)
})

test.each([
  ['two words of a sentence', 'context managers', { text: 'The context managers of a block' }],
  ['a question', 'refund?', {}],
  ['three words', 'with context managers', { title: 'With context managers' }],
  ['a language without spaces', '如何重置密码', {}],
])('%s are no name', async (_, text, fragment) => {
  expect(await isName(text, fragment)).toBe(false)
})

test('a word that does not occur, or is misspelled, is no name', async () => {
  expect(await isName('PathLike', {}, { hits: [], expansions: new Map() })).toBe(false)
  const expansions = new Map([['waranty', { words: ['warranty'], reason: 'misspelling' as const }]])
  expect(await isName('waranty', {}, { ...found, expansions })).toBe(false)
})
