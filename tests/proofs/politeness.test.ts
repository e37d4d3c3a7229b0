import { expect, it } from 'vitest'
import { crawlPolitely } from '../hostile/politeness'

// `npm run hostile` measures the same over 10,000 addresses.
it('asks 2,000 addresses of a host one at a time, as slowly as it wants, and none that it closes', async () => {
  const { lines, wrong } = await crawlPolitely(2_000)
  expect(wrong).toEqual([])
  expect(lines).toHaveLength(3)
})
