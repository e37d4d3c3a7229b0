import { expect, test } from 'vitest'
import { queryTerms, TermMatcher } from './term-coverage'

test.each([
  ['no words', [], 'text', 0],
  ['all words', ['lamp', 'shade'], 'A Lamp, with its SHADE.', 1],
  ['half of them', ['lamp', 'gasket'], 'a lamp', 0.5],
  ['an inflected form', ['ustawienia'], 'Strona ustawień', 1],
  ['a short word only whole', ['kot'], 'kotek', 0],
  ['diacritics', ['größen'], 'GROßER', 1],
  ['an identifier by its parts', ['create_task'], 'the task', 0.5],
  ['pairs of characters', ['重置密码'], '如何重置?', 1 / 3],
  ['one character', ['猫'], '吾輩は猫である', 1],
  ['an English plural of a short word', ['lamps'], 'a lamp', 1],
  ['the singular of one', ['shim'], 'two shims', 1],
  ['a name by its parts', ['create', 'server'], 'createServer()', 1],
  ['a number in a name', ['sha', '256'], 'the SHA256 sum', 1],
  ['a part of a name that starts with other letters', ['server'], 'createHTTPServer() and createServer()', 1],
  ['a ligature', ['œuvre'], 'Les OEUVRES', 1],
  ['a word with an article', ['كتاب'], 'الكتاب', 1],
  ['no text', ['lamp'], '', 0],
])('%s', (_, words, text, share) => {
  const coverage = new TermMatcher(queryTerms(words)).coverageOf(text)
  expect(coverage).toHaveLength(words.length)
  expect(coverage.reduce((sum, number) => sum + number, 0) / Math.max(1, words.length)).toBeCloseTo(share, 10)
})
