import { expect, test } from 'vitest'
import type { QueryExpansion } from '../../ports'
import { correctionsOf, correctQuery } from './correct-spelling'

const expansions = new Map<string, QueryExpansion>([
  ['padddel', { words: ['paddel', 'pedal'], reason: 'misspelling' }],
  ['grosen', { words: ['grossen'], reason: 'misspelling' }],
  ['warr', { words: ['warranty'], isPrefix: true, reason: 'prefix' }],
  ['kasten', { words: ['werkzeugkasten'], endings: ['kasten'], reason: 'compounds' }],
])

test.each([
  ['a misspelled word', 'Wo ist mein Padddel?', 'Wo ist mein paddel?'],
  ['a word in the spelling of the texts', 'Welche Grösen?', 'Welche größen?'],
  ['an incomplete word', 'warr', 'warranty'],
  ['no compound', 'Kasten', 'Kasten'],
  ['nothing in a query without errors', 'Is it "there"?', 'Is it "there"?'],
])('corrects %s', (_, query, corrected) => {
  expect(correctQuery(query, correctionsOf(expansions), new Map([['grossen', 'größen']]))).toBe(corrected)
})
