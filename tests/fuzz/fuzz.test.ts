import { beforeAll, describe, expect, it } from 'vitest'
import { mutate } from './mutate'
import { prepareReaders } from './readers'
import { mutationOf, type Result, readMutations } from './run'
import { findSamples, kinds, type Sample } from './samples'

// npm run fuzz does the same with as many files as one likes.

const seed = 20
const count = 500

let samples: Sample[] = []
beforeAll(async () => {
  samples = await findSamples(seed, 12)
  await prepareReaders()
})

describe('damaged files', () => {
  it('end in text or in a reason, whatever was done to them', { timeout: 120_000 }, async () => {
    const results: Result[] = []
    const numbers = Array.from({ length: count }, (_, at) => at)
    await readMutations(samples, { seed, numbers }, (result) => results.push(result))
    expect(results).toHaveLength(count)
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([])
    // Damage of which too little is left to read would show nothing.
    for (const kind of kinds) {
      const outcomes = new Set(results.filter((result) => result.kind === kind).map(({ outcome }) => outcome))
      expect([...outcomes], kind).toContain('read')
      expect(outcomes.size, kind).toBeGreaterThan(1)
    }
  })
})

describe('a mutation', () => {
  it('follows from the seed and its number', () => {
    for (const number of [0, 1, 2, 300]) {
      expect(mutationOf(samples, seed, number)).toEqual(mutationOf(samples, seed, number))
      expect(mutationOf(samples, seed, number).bytes).not.toEqual(mutationOf(samples, seed + 1, number).bytes)
    }
  })

  it('can be made of anything, nothing included', () => {
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
