import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { engine } from '../../../db/engine'
import { SQLite } from '../../../db/sqlite-driver'
import { system } from '../../../server/actor'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { listIds } from '../../../server/services/admin/list-ids'
import { listedTables } from '../../../server/services/admin/listed-tables'
import { takeRun } from '../../../server/services/runs/run-context'
import { createFragmentFilter } from '../../../server/services/search/search-filters'
import { openTestApp } from '../../support/app'

// Query plans of frequent statements on tables of tens of thousands of rows.

let app: Awaited<ReturnType<typeof openTestApp>>['app']
let file: string
beforeEach(async () => {
  const test = await openTestApp()
  app = test.app
  file = app.config.databaseFile
})
afterEach(() => app.close())

async function createSource() {
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
  const input = { type: 'url' as const, name: '', url: 'http://127.0.0.1:9/' }
  const source = await app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
  return { orgId, collectionId, sourceId: source.id, runId: source.last_run?.id ?? '' }
}

/** The query plan of each statement of `work` that names `table`. */
async function plansOf(table: string, work: () => Promise<unknown>): Promise<string[]> {
  const prepare = vi.spyOn(SQLite.prototype, 'prepare')
  await work()
  const statements = new Set(prepare.mock.calls.map(([text]) => text).filter((text) => text.includes(`"${table}"`)))
  prepare.mockRestore()
  const connection = new SQLite(file, { readonly: true })
  const plans = [...statements].map((text) => {
    const parameters = Array<null>(text.split('?').length - 1).fill(null)
    const steps = connection.prepare(`explain query plan ${text}`).all(...parameters) as { detail: string }[]
    return steps.map(({ detail }) => detail).join('\n')
  })
  connection.close()
  return plans
}

it.runIf(engine === 'sqlite')('claims the next addresses in index order, without sorting', async () => {
  const { sourceId, runId } = await createSource()
  const run = await takeRun(app.db, sourceId, runId)
  if (!run) throw new Error('There is no run.')
  const plans = await plansOf('visits', () => app.services.crawling.frontier.claim(run, 3))
  expect(plans).toHaveLength(1)
  expect(plans[0]).toContain('visits_waiting (run_id=?)')
  expect(plans[0]).not.toMatch(/TEMP B-TREE|SCAN/)
})

it.runIf(engine === 'sqlite')('lists the addresses of a source in index order, without their rows', async () => {
  const { sourceId } = await createSource()
  const query = { order: [['created_at', 'desc'] as ['created_at', 'desc']], where: { source_id: sourceId } }
  const plans = await plansOf('addresses', () =>
    listIds(app.db.read, listedTables.urls, { ...query, page: 1, limit: 25 }),
  )
  expect(plans.length).toBe(2)
  for (const plan of plans) {
    expect(plan).toContain('USING COVERING INDEX addresses_source_created')
    expect(plan).not.toContain('TEMP B-TREE')
  }
})

it.runIf(engine === 'sqlite')('counts fragments without a vector by a partial index', async () => {
  const { collectionId } = await createSource()
  const embedder: Embedder = {
    model: 'lamp',
    dimensions: 384,
    embedPassages: async () => [],
    embedQuery: async () => new Float32Array(384),
    close: async () => {},
  }
  const search = () => app.services.search.find('o1', { collectionId, query: 'lamp', limit: 5 })
  const counts = (plans: string[]) => {
    const steps = plans.flatMap((plan) => plan.split('\n'))
    return steps.filter((step) => step.includes('fragments_collection_model')).sort()
  }
  expect(counts(await plansOf('fragments', search))).toEqual([
    'SEARCH fragments USING COVERING INDEX fragments_collection_model (collection_id=?)',
  ])
  await app.services.embedding.ready(embedder)
  expect(counts(await plansOf('fragments', search))).toEqual([
    'SEARCH fragments USING COVERING INDEX fragments_collection_model (collection_id=? AND vector_model=?)',
  ])
})

it.runIf(engine === 'sqlite').each([10, 40, 128])('looks up %i found fragments by their keys', async (count) => {
  const { collectionId, sourceId } = await createSource()
  const keys = Array.from({ length: count }, (_, n) => n + 1)
  for (const filters of [{}, { sourceId: [sourceId] }, { language: ['en'], publishedSince: new Date(0) }]) {
    const filter = await createFragmentFilter(app.db.read, collectionId, filters)
    const plans = await plansOf('fragments', () => filter.select(keys))
    expect(plans).toHaveLength(1)
    expect(plans[0]).toMatch(/^SEARCH fragments USING INTEGER PRIMARY KEY/)
  }
})

it('a source has no more addresses than a run fetches', async () => {
  const { orgId, collectionId, sourceId, runId } = await createSource()
  await app.db.write((tx) =>
    tx.execute(sql`
      insert into addresses
        (id, organization_id, collection_id, source_id, url, status, updated_at, created_at)
      with recursive numbers (n) as (select 4 union all select n + 1 from numbers where n < 50000)
      select n, ${orgId}, ${collectionId}, ${sourceId}, 'http://127.0.0.1:9/' || n, 'new', 0, 0 from numbers
    `),
  )
  const run = await takeRun(app.db, sourceId, runId)
  if (!run) throw new Error('There is no run.')
  const links = Array.from({ length: 5 }, (_, more) => ({
    url: `http://127.0.0.1:9/more/${more}`,
    depth: 1,
    discoveredFrom: '',
  }))
  await app.services.crawling.frontier.enqueue(run, links)
  await app.services.crawling.frontier.enqueue(run, links.slice(0, 3))
  const [over] = await app.db.read.execute<{ many: number }>(
    sql`select count(*) as many from addresses where reason = 'over-limit'`,
  )
  expect(over?.many).toBe(2)
})
