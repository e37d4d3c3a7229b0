import { expect, it } from 'vitest'
import { behaviours } from '../hostile/behaviours'
import { startHosts } from '../hostile/hosts'
import { runBehaviours, startProduct } from '../hostile/run'

// All behaviours, with their cost in memory and in the speed of a healthy site: npm run hostile
it('survives the hostile servers', async () => {
  const chosen = behaviours.filter(({ quick }) => quick)
  const hosts = await startHosts(chosen, 1)
  const test = await startProduct(2_000, { CRAWL_CONCURRENCY: '32' })
  try {
    const results = await runBehaviours(test, chosen, hosts.list, () => hosts.counts().requests, 80_000)
    expect(results.filter(({ differs }) => differs.length > 0)).toEqual([])
    expect(hosts.counts().witness).toBe(0)
  } finally {
    await test.close()
    await hosts.close()
  }
})

it('covers at least 40 behaviours with distinct names', () => {
  expect(behaviours.length).toBeGreaterThanOrEqual(40)
  expect(new Set(behaviours.map(({ name }) => name)).size).toBe(behaviours.length)
})
