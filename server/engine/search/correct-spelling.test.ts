import { expect, test } from 'vitest'
import type { WordsInstead } from '../ports'
import { correctionsOf, correctQuery } from './correct-spelling'

const instead = new Map<string, WordsInstead>([
  ['padddel', { words: ['paddel', 'pedal'], because: 'misspelt' }],
  ['grosen', { words: ['grossen'], because: 'misspelt' }],
  ['warr', { words: ['warranty'], begins: true, because: 'beginning' }],
  ['kasten', { words: ['werkzeugkasten'], ends: ['kasten'], because: 'compounds' }],
])

test.each([
  ['a misspelt word', 'Wo ist mein Padddel?', 'Wo ist mein paddel?'],
  ['a word as the texts write it', 'Welche Grösen?', 'Welche größen?'],
  ['a word that was not typed to its end', 'warr', 'warranty'],
  ['no compound', 'Kasten', 'Kasten'],
  ['nothing of a query without', 'Is it "there"?', 'Is it "there"?'],
])('corrects %s', (_, query, corrected) => {
  expect(correctQuery(query, correctionsOf(instead), new Map([['grossen', 'größen']]))).toBe(corrected)
})
