import { expect, test } from 'vitest'
import { testRandom } from '../../../../tests/support/test-random'
import { LikelyWords } from './likely-words'

const plain = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/
const word = /(?:[\p{L}\p{N}\p{M}]|\u00AD|\u200D|\u2060)+/gu

/** What is found, by the definition. */
function expected(text: string, terms: string[]): [string, number][] {
  const prefixes = new Set(terms.map((term) => term.slice(0, 2)))
  return [...text.matchAll(word)].flatMap(({ 0: found, index }): [string, number][] =>
    plain.test(found) && !prefixes.has(found.slice(0, 2).toLowerCase()) ? [] : [[found, index]],
  )
}

test.each([
  ['Lamps and LAMPS, lamp2, iLamp, a la carte', ['lamp']],
  ['größe Größe GRÖSSE grosse Straße', ['große']],
  ['a1 12 1234 12a A1 1', ['12']],
  ['x y z X', ['x']],
  ['soft\u00ADhyphen, zero\u200Dwidth\u2060joiner', ['so']],
  ['密码重置 reset 密码', ['re']],
  ['😀 lamp 𠮷野家 lamps', ['lamp']],
  ['नमस्ते lamp', ['lamp']],
  ['', ['lamp']],
  ['nothing', []],
])('finds the words of %s that may match %j', (text, terms) => {
  const found = new LikelyWords(terms).find(text)
  expect(found.map(({ word, index }) => [word, index])).toEqual(expected(text, terms))
})

test('finds the same words as the pattern in any text', () => {
  const random = testRandom()
  const characters = [...'abLA19 .-_éßﬁ\u00AD\u0301密の한ไ']
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: 30 }, () => characters[Math.floor(random() * characters.length)]).join('')
    const found = new LikelyWords(['la', 'a', '1']).find(text)
    expect([text, found.map(({ word, index }) => [word, index])]).toEqual([text, expected(text, ['la', 'a', '1'])])
  }
})
