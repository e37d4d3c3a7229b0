import { expect, test } from 'vitest'
import { frequentLanguages } from './frequent-languages'

test('returns the languages of at least one in twenty texts, by primary subtag', () => {
  const counts = new Map([
    ['en-US', 3],
    ['en', 45],
    ['de', 5],
    ['pl', 4],
    ['', 43],
  ])
  expect(frequentLanguages(counts)).toEqual(['en', 'de'])
  expect(frequentLanguages(new Map([['', 9]]))).toEqual([])
  expect(frequentLanguages(new Map())).toEqual([])
})
