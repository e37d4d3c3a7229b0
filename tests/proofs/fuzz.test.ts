import { beforeAll, expect, it } from 'vitest'
import { prepareReaders, timedOut } from '../fuzz/readers'
import { type Result, readMutations } from '../fuzz/run'
import { findSamples, kinds, type Sample } from '../fuzz/samples'

// npm run fuzz does the same with any number of files.

const seed = 20
const count = 500
/** More would mean that the code of this project does not end. */
const maxTimedOut = count / 100

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
  const late = results.filter(({ outcome }) => outcome === timedOut)
  expect(late.length).toBeLessThanOrEqual(maxTimedOut)
  // Files too damaged to read would prove nothing.
  for (const kind of kinds) {
    const outcomes = new Set(results.filter((result) => result.kind === kind).map(({ outcome }) => outcome))
    expect([...outcomes], kind).toContain('read')
    expect(outcomes.size, kind).toBeGreaterThan(1)
  }
})
