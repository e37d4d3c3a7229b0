import { expect, test } from 'vitest'
import type { QueryExpansion } from '../../ports/search-index'
import { correctionsOf, correctQuery } from './correct-spelling'

const expansions = new Map<string, QueryExpansion>([
  ['padddel', { words: ['paddel', 'pedal'], reason: 'misspelling' }],
  ['grosen', { words: ['grossen'], reason: 'misspelling' }],
  ['warr', { words: ['warranty'], reason: 'prefix' }],
  ['hx7731', { words: ['hx', '7731'], reason: 'parts' }],
])

test.each([
  ['a misspelled word', 'Wo ist mein Padddel?', 'Wo ist mein paddel?'],
  ['a word in the spelling of the texts', 'Welche Grösen?', 'Welche größen?'],
  ['an incomplete word', 'warr', 'warranty'],
  ['no name that was searched by its parts', 'HX7731', 'HX7731'],
  ['nothing in a query without errors', 'Is it "there"?', 'Is it "there"?'],
])('corrects %s', (_, query, corrected) => {
  expect(correctQuery(query, correctionsOf(expansions), new Map([['grossen', 'größen']]))).toBe(corrected)
})
