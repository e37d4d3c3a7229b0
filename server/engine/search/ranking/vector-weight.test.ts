import { describe, expect, test } from 'vitest'
import { languageFamiliarity, vectorWeightFor } from './vector-weight'

const english = {
  tokensPerWord: 1,
  isEnglish: true,
  isReadByLetters: false,
  tokensPerFunctionWord: 1,
  isFoundName: false,
}

describe('vectorWeightFor', () => {
  test.each([
    [1, 0.6],
    [1.35, 0.6],
    [1.675, 0.5],
    [2, 0.4],
    [5, 0.4],
  ])('English with %d tokens per word: %d', (tokensPerWord, weight) => {
    expect(vectorWeightFor({ ...english, tokensPerWord })).toBeCloseTo(weight, 10)
  })

  test.each([
    ['French, although its words have few tokens', 1.8, 1.2, 0.3],
    ['Arabic, which the model reads by letters', 3.7, 4.6, 0.2],
    ['German, for a model that knows it', 1.1, 1.35, 0.6],
    ['Chinese, which has no function words', null, 13, 0.2],
    ['a foreign word in a collection of unknown language', null, 2.5, 0.3],
  ])('%s', (_, tokensPerFunctionWord, tokensPerWord, weight) => {
    const query = { ...english, isEnglish: false, tokensPerFunctionWord, tokensPerWord }
    expect(vectorWeightFor(query)).toBeCloseTo(weight, 10)
  })

  test('a name that keywords find weighs least', () => {
    expect(vectorWeightFor({ ...english, isFoundName: true })).toBe(0.1)
  })
})

test('languageFamiliarity falls with the tokens per word', () => {
  expect([1, 1.35, 2, 9].map(languageFamiliarity)).toEqual([1, 1, 0, 0])
})
