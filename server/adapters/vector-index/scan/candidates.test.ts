import { expect, test } from 'vitest'
import { concatenate, lowerBound, selectLikely } from './candidates'

const some = {
  keys: Float64Array.of(1, 2, 3, 4),
  scores: Float32Array.of(0.9, 0.8, 0.79, 0.5),
  margins: Float32Array.of(0.01, 0.01, 0.01, 0.01),
}

test('keeps the candidates that may be among the best', () => {
  expect([...selectLikely(some, 1).keys]).toEqual([1])
  // The scores of the second and the third differ by less than their margins.
  expect([...selectLikely(some, 2).keys]).toEqual([1, 2, 3])
  expect([...selectLikely(some, 4).keys]).toEqual([1, 2, 3, 4])
  expect([...selectLikely(some, 9).keys]).toEqual([1, 2, 3, 4])
})

test('uses the margin of each candidate', () => {
  const wide = { ...some, margins: Float32Array.of(0.01, 0.01, 0.01, 0.35) }
  expect([...selectLikely(wide, 2).keys]).toEqual([1, 2, 3, 4])
})

test('computes a lower bound of the kth score', () => {
  expect(lowerBound(some.scores, some.margins, 2)).toBeCloseTo(0.79, 5)
  expect(lowerBound(some.scores, some.margins, 5)).toBe(Number.NEGATIVE_INFINITY)
})

test('concatenates lists', () => {
  expect([...concatenate([some, selectLikely(some, 1)]).keys]).toEqual([1, 2, 3, 4, 1])
  expect(concatenate([]).keys).toHaveLength(0)
})
