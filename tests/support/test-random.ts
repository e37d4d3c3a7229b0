import { expect } from 'vitest'
import { seededRandom } from './seeded-random'

/** TEST_SEED repeats the random choices of a run. */
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e6))

/** Random numbers for the test that runs. They follow from the seed and the test's name; a failed test prints the seed. */
export function testRandom(): () => number {
  console.log(`TEST_SEED=${seed}`)
  return seededRandom(seed, expect.getState().currentTestName ?? '')
}
