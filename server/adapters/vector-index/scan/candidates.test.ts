import { expect, test } from 'vitest'
import { lowerBound, selectLikely } from './candidates'

const batch = {
  keys: Float64Array.of(1, 2, 3, 4),
  scores: Float32Array.of(0.9, 0.8, 0.79, 0.5),
  margins: Float32Array.of(0.01, 0.01, 0.01, 0.01),
}

test('keeps the candidates that may be among the best', () => {
  expect([...selectLikely(batch, 1).keys]).toEqual([1])
  // The scores of the second and the third differ by less than their margins.
  expect([...selectLikely(batch, 2).keys]).toEqual([1, 2, 3])
  expect([...selectLikely(batch, 4).keys]).toEqual([1, 2, 3, 4])
  expect([...selectLikely(batch, 9).keys]).toEqual([1, 2, 3, 4])
})

test('uses the margin of each candidate', () => {
  const wide = { ...batch, margins: Float32Array.of(0.01, 0.01, 0.01, 0.35) }
  expect([...selectLikely(wide, 2).keys]).toEqual([1, 2, 3, 4])
})

test('computes a lower bound of the kth score', () => {
  expect(lowerBound(batch.scores, batch.margins, 2)).toBeCloseTo(0.79, 5)
  expect(lowerBound(batch.scores, batch.margins, 5)).toBe(Number.NEGATIVE_INFINITY)
})
