import { expect, test } from 'vitest'
import { joined, likely, lowerBound } from './candidates'

const some = {
  keys: Float64Array.of(1, 2, 3, 4),
  scores: Float32Array.of(0.9, 0.8, 0.79, 0.5),
  margins: Float32Array.of(0.01, 0.01, 0.01, 0.01),
}

test('keeps what may be among the best, and nothing else', () => {
  expect([...likely(some, 1).keys]).toEqual([1])
  // The second and the third are nearer to each other than they are exact.
  expect([...likely(some, 2).keys]).toEqual([1, 2, 3])
  expect([...likely(some, 4).keys]).toEqual([1, 2, 3, 4])
  expect([...likely(some, 9).keys]).toEqual([1, 2, 3, 4])
})

test('counts each with its own margin', () => {
  const wide = { ...some, margins: Float32Array.of(0.01, 0.01, 0.01, 0.35) }
  expect([...likely(wide, 2).keys]).toEqual([1, 2, 3, 4])
})

test('knows what the kth is at least', () => {
  expect(lowerBound(some.scores, some.margins, 2)).toBeCloseTo(0.79, 5)
  expect(lowerBound(some.scores, some.margins, 5)).toBe(Number.NEGATIVE_INFINITY)
})

test('puts parts together', () => {
  expect([...joined([some, likely(some, 1)]).keys]).toEqual([1, 2, 3, 4, 1])
  expect(joined([]).keys).toHaveLength(0)
})
