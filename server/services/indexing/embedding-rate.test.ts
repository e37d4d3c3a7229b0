import { expect, it } from 'vitest'
import { createEmbeddingRate } from './embedding-rate'

it('measures the fragments a second of each collection', () => {
  let now = 0
  const rate = createEmbeddingRate(() => now)
  expect(rate.of('lamps')).toBe(0)
  rate.add('lamps', 64)
  now = 2_000
  rate.add('lamps', 64)
  now = 4_000
  rate.add('lamps', 64)
  expect(rate.of('lamps')).toBe(32)
  expect(rate.of('other')).toBe(0)
})

it('forgets what was long ago', () => {
  let now = 0
  const rate = createEmbeddingRate(() => now)
  rate.add('lamps', 64)
  now = 1_000
  rate.add('lamps', 64)
  now = 60_000
  expect(rate.of('lamps')).toBe(0)
})
