import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addresses } from '../../../db/schema/addresses'
import { jobs } from '../../../db/schema/jobs'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { pageConcurrency } from '../../../server/services/crawling/runs/page-concurrency'
import { claimJob } from '../../../server/services/jobs/claim-job'
import { type RunContext, takeRun } from '../../../server/services/runs/run-context'
import { openTestApp } from '../../support/app'

let app: App
beforeEach(async () => {
  app = (await openTestApp()).app
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

/** The waiting runs of a new organization with `sources` sources. */
async function runsOf(name: string, sources: number, limits: { max_pages?: number } = {}): Promise<RunContext[]> {
  const { id: orgId } = await app.services.organizations.create(system, { name, entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
  for (let number = 0; number < sources; number++) {
    const url = `https://${name.toLowerCase()}-${number}.example/`
    await app.services.sources.create(
      system,
      { organizationId: orgId, collectionId },
      { type: 'domain', name: '', url, ...limits },
    )
  }
  const runs: RunContext[] = []
  for (const { payload, organizationId } of await app.db.read.select().from(jobs)) {
    const run = await takeRun(app.db, payload.sourceId ?? '', payload.runId ?? '')
    if (run && organizationId === orgId) runs.push(run)
  }
  return runs
}

describe('page concurrency', () => {
  const concurrencyOf = (run: RunContext) => pageConcurrency(app.db.read, run.source.organizationId)
  async function start() {
    while (await claimJob(app.db, { worker: 'test', kind: 'crawl-source' })) {
      // Until none is left.
    }
  }

  it('is four for each run while no other organization crawls', async () => {
    const [first] = await runsOf('Fennel', 3)
    await start()
    expect(first && (await concurrencyOf(first))).toBe(4)
  })

  it('is shared by the runs of an organization while another one crawls', async () => {
    const count = await runsOf('Fennel', 4)
    const [first] = await runsOf('Sorrel', 1)
    await start()
    expect(await Promise.all(count.map(concurrencyOf))).toEqual([1, 1, 1, 1])
    expect(first && (await concurrencyOf(first))).toBe(4)
  })

  it('is at least one', async () => {
    const count = await runsOf('Fennel', 6)
    await runsOf('Sorrel', 1)
    await start()
    expect(await Promise.all(count.map(concurrencyOf))).toEqual([1, 1, 1, 1, 1, 1])
  })
})

it('enqueues a link that is discovered after room became free in a full source', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [run] = await runsOf('Fennel', 1, { max_pages: 2 })
  if (!run) throw new Error('There is no run.')
  const { url: site, id: sourceId } = run.source
  const links = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, number) => ({
      url: `${site}page-${from + number}`,
      depth: 1,
      discoveredFrom: `${site}`,
    }))
  const ofSource = eq(addresses.sourceId, sourceId)
  const statuses = async () => {
    const rows = await app.db.read.select({ status: addresses.status }).from(addresses).where(ofSource)
    const count = (status: string) => rows.filter((row) => row.status === status).length
    return { new: count('new'), limit: count('limit'), fail: count('fail') }
  }
  await app.services.crawling.frontier.enqueue(run, links(0, 1_100))
  expect(await statuses()).toEqual({ new: 2, limit: 1_000, fail: 0 })
  await app.services.crawling.frontier.enqueue(run, links(1_100, 1_200))
  expect(await statuses()).toEqual({ new: 2, limit: 1_000, fail: 0 })

  await app.db.write((tx) =>
    tx
      .update(addresses)
      .set({ status: 'fail' })
      .where(eq(addresses.url, `${site}page-0`)),
  )
  vi.setSystemTime(Date.now() + 2_000)
  await app.services.crawling.frontier.enqueue(run, links(1_200, 1_300))
  expect(await statuses()).toEqual({ new: 2, limit: 1_000, fail: 1 })
})
