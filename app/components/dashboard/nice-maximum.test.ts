import { expect, it } from 'vitest'
import { niceMaximum } from './nice-maximum'

it.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [10, 10],
  [11, 20],
  [53, 60],
  [81, 100],
  [100, 100],
  [4_001, 6_000],
])('ends an axis for %d at %d', (value, end) => {
  expect(niceMaximum(value)).toBe(end)
})
