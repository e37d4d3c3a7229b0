import { describe, expect, test } from 'vitest'
import { languageFamiliarity, vectorWeightFor } from './vector-weight'

describe('vectorWeightFor', () => {
  test.each([
    [1, 0.6],
    [1.35, 0.6],
    [1.675, 0.5],
    [2, 0.4],
    [5, 0.4],
  ])('English with %d tokens per word: %d', (tokensPerWord, weight) => {
    expect(vectorWeightFor({ tokensPerWord, isEnglish: true, isFoundName: false })).toBeCloseTo(weight, 10)
  })

  test('another language weighs less, however few tokens its words have', () => {
    expect(vectorWeightFor({ tokensPerWord: 1.2, isEnglish: false, isFoundName: false })).toBe(0.3)
  })

  test('a name that keywords find weighs least', () => {
    expect(vectorWeightFor({ tokensPerWord: 1, isEnglish: true, isFoundName: true })).toBe(0.1)
  })
})

test('languageFamiliarity falls with the tokens per word', () => {
  expect([1, 1.35, 2, 9].map(languageFamiliarity)).toEqual([1, 1, 0, 0])
})
