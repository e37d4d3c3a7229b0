import { beforeAll, expect, it } from 'vitest'
import { prepareReaders } from '../fuzz/readers'
import { type Result, readMutations } from '../fuzz/run'
import { findSamples, kinds, type Sample } from '../fuzz/samples'

// npm run fuzz does the same with any number of files.

const seed = 20
const count = 500

let samples: Sample[] = []
beforeAll(async () => {
  samples = await findSamples(seed, 12)
  await prepareReaders()
})

it('reads damaged files, or names a reason', async () => {
  const results: Result[] = []
  const numbers = Array.from({ length: count }, (_, index) => index)
  await readMutations(samples, { seed, numbers }, (result) => results.push(result))
  expect(results).toHaveLength(count)
  expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([])
  // Files too damaged to read would prove nothing.
  for (const kind of kinds) {
    const outcomes = new Set(results.filter((result) => result.kind === kind).map(({ outcome }) => outcome))
    expect([...outcomes], kind).toContain('read')
    expect(outcomes.size, kind).toBeGreaterThan(1)
  }
})
