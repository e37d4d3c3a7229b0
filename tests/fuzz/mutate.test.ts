import { beforeAll, describe, expect, it } from 'vitest'
import { mutate } from './mutate'
import { mutationOf } from './run'
import { findSamples, type Sample } from './samples'

const seed = 20

let samples: Sample[] = []
beforeAll(async () => {
  samples = await findSamples(seed, 1)
})

describe('mutate', () => {
  it('is determined by the seed and the number', () => {
    for (const number of [0, 1, 2, 300]) {
      expect(mutationOf(samples, seed, number)).toEqual(mutationOf(samples, seed, number))
      expect(mutationOf(samples, seed, number).bytes).not.toEqual(mutationOf(samples, seed + 1, number).bytes)
    }
  })

  it('mutates any input, even an empty one', () => {
    let state = 0
    const random = () => {
      state = (state * 69_069 + 1) % 2 ** 32
      return state / 2 ** 32
    }
    for (let round = 0; round < 300; round++) {
      for (const bytes of [Buffer.alloc(0), Buffer.from('a'), Buffer.from('%PDF-1.7')]) {
        expect(mutate(bytes, Buffer.alloc(0), [], random).changes.length).toBeGreaterThan(0)
        mutate(bytes, bytes, [{ name: 'a', content: bytes }], random)
      }
    }
  })
})
