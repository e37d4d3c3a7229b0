import { expect, it } from 'vitest'
import { crawlPolitely } from '../hostile/politeness'

// `npm run proof` asks 2,000 of a host, `npm run hostile` 10,000.
it('asks 80 addresses of a host one at a time, as slowly as it wants, and none that it closes', {
  timeout: 120_000,
}, async () => {
  const { lines, wrong } = await crawlPolitely(80)
  expect(wrong).toEqual([])
  expect(lines).toHaveLength(3)
})
