import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addresses } from '../../db/schema/addresses'
import { jobs } from '../../db/schema/jobs'
import { system } from '../../server/actor'
import type { App } from '../../server/app'
import type { RunContext } from '../../server/services/crawling/runs/run-context'
import { claimJobs } from '../../server/services/jobs/jobs'
import { openTestApp } from '../support/app'

let app: App
beforeEach(async () => {
  app = (await openTestApp()).app
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

/** Runs of an organization with this number of sources, none of which is crawled. */
async function worksOf(name: string, sources: number, limits: { max_pages?: number } = {}): Promise<RunContext[]> {
  const { id: orgId } = await app.organizations.create(system, { name, entity_name: '' })
  const { id: collectionId } = await app.collections.create(system, orgId, { name: 'Pages', description: '' })
  for (let number = 0; number < sources; number++) {
    const url = `https://${name.toLowerCase()}-${number}.example/`
    await app.sources.create(system, orgId, collectionId, { type: 'domain', name: '', url, ...limits })
  }
  const works: RunContext[] = []
  for (const { payload, organizationId } of await app.db.read.select().from(jobs)) {
    const work = await app.crawls.resume(payload.sourceId ?? '', payload.runId ?? '')
    if (work && organizationId === orgId) works.push(work)
  }
  return works
}

describe('pages under way', () => {
  const start = () => claimJobs(app.db, { worker: 'test', count: 100, kinds: ['crawl-source'] })

  it('are four for a run while no other organization crawls', async () => {
    const [one] = await worksOf('Fennel', 3)
    await start()
    expect(one && (await app.crawls.lanes(one))).toBe(4)
  })

  it('are no more for many runs of an organization than for the one of another', async () => {
    const many = await worksOf('Fennel', 4)
    const [one] = await worksOf('Sorrel', 1)
    await start()
    expect(await Promise.all(many.map((work) => app.crawls.lanes(work)))).toEqual([1, 1, 1, 1])
    expect(one && (await app.crawls.lanes(one))).toBe(4)
  })

  it('are never none', async () => {
    const many = await worksOf('Fennel', 6)
    await worksOf('Sorrel', 1)
    await start()
    expect(await Promise.all(many.map((work) => app.crawls.lanes(work)))).toEqual([1, 1, 1, 1, 1, 1])
  })
})

it('a place that becomes free in a full source is taken by a link that is found later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [work] = await worksOf('Fennel', 1, { max_pages: 2 })
  if (!work) throw new Error('There is no run.')
  const { url: site, id: sourceId } = work.source
  const links = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, number) => ({
      url: `${site}page-${from + number}`,
      depth: 1,
      discoveredFrom: `${site}`,
    }))
  const ofSource = eq(addresses.sourceId, sourceId)
  const statuses = async () => {
    const rows = await app.db.read.select({ status: addresses.status }).from(addresses).where(ofSource)
    const many = (status: string) => rows.filter((row) => row.status === status).length
    return { pending: many('pending'), limit: many('limit'), fail: many('fail') }
  }
  await app.crawls.list(work, links(0, 1_100))
  expect(await statuses()).toEqual({ pending: 2, limit: 1_000, fail: 0 })
  await app.crawls.list(work, links(1_100, 1_200))
  expect(await statuses()).toEqual({ pending: 2, limit: 1_000, fail: 0 })

  await app.db.write((tx) =>
    tx
      .update(addresses)
      .set({ status: 'fail' })
      .where(eq(addresses.url, `${site}page-0`)),
  )
  vi.setSystemTime(Date.now() + 2_000)
  await app.crawls.list(work, links(1_200, 1_300))
  expect(await statuses()).toEqual({ pending: 2, limit: 1_000, fail: 1 })
})
