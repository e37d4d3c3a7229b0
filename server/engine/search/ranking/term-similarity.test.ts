import { expect, test } from 'vitest'
import { termSimilarity } from './term-similarity'

test.each([
  ['the word itself', 'lamp', 'lamp', 1],
  ['a plural', 'sage', 'sagen', 1],
  ['an ending of three letters', 'kohle', 'kohlerei', 1],
  ['a Polish case', 'gwarancja', 'gwarancje', 1],
  ['a Russian case', 'договор', 'договорами', 1],
  ['an English form', 'indexing', 'indexed', 1],
  ['an English form with a long ending', 'configure', 'configuration', 1],
  ['a short English form', 'ties', 'tie', 0],
  ['a longer word that begins with it', 'kohle', 'kohleburste', 0.4],
  ['a word that it begins with', 'kohleburste', 'kohle', 0.4],
  ['a word that only begins alike', 'schrank', 'schraube', 0.4],
  ['a longer one that only begins alike', 'schrank', 'schraubendreher', 0.4],
  ['a short word inside a longer one', 'post', 'postpone', 0],
  ['three letters', 'kot', 'kotek', 0],
  ['another word', 'lamp', 'shade', 0],
])('%s', (_, term, word, similarity) => {
  expect(termSimilarity(term, word, false)).toBe(similarity)
})

test('a term of four letters matches as a prefix only if it is one', () => {
  expect(termSimilarity('warr', 'warranty', true)).toBe(0.4)
  expect(termSimilarity('war', 'warranty', true)).toBe(0)
})
