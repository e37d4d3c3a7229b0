import { expect, test } from 'vitest'
import { countPieces, sharesOf, tokenShares } from './metrics'

test('counts pieces whatever their white space', () => {
  const pieces = { with: ['one  two', 'three', 'four'], without: ['menu', 'imprint'] }
  const counts = countPieces('One\none\ttwo\nthree menu', pieces)
  expect(counts).toEqual({ truePositives: 2, falsePositives: 1, falseNegatives: 1 })
  const missed = countPieces(null, pieces)
  expect(missed).toEqual({ truePositives: 0, falsePositives: 0, falseNegatives: 3 })
  const { precision, recall, f1 } = sharesOf([counts, missed])
  expect([precision, recall, f1]).toEqual([2 / 3, 2 / 6, 4 / 9])
})

test('compares words as often as they stand', () => {
  expect(tokenShares('a b b c', 'A, b, d!')).toEqual({ precision: 2 / 4, recall: 2 / 3, f1: 4 / 7 })
  expect(tokenShares('', '').f1).toBe(1)
  expect(tokenShares('', 'a').f1).toBe(0)
})
