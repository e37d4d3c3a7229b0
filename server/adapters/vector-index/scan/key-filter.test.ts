import { expect, test } from 'vitest'
import { createKeyFilter } from './key-filter'

test.each([
  ['near each other', [7, 8, 15, 16, 1_000]],
  ['large', [9_000_000_000, 9_000_000_003]],
  ['far from each other', [1, 2 ** 40, 2 ** 50]],
  ['one', [5]],
])('accepts only the keys of the set: %s', (_, keys) => {
  const isIn = createKeyFilter(Float64Array.from(keys))
  for (const key of keys) expect(isIn(key)).toBe(true)
  for (const key of keys.flatMap((number) => [number - 1, number + 1, number + 8]))
    expect(isIn(key)).toBe(keys.includes(key))
  expect(isIn(0)).toBe(false)
})

test('accepts nothing for an empty set', () => {
  expect(createKeyFilter(new Float64Array())(0)).toBe(false)
})
