import { and, eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { sourceSchema } from '../../../contract/sources/source'
import { addressStatuses, agentStatuses, statusLabels } from '../../../contract/values/enumerations'
import { statusOf } from '../../../contract/values/error-codes'
import { addresses, fragments, runOutcomes } from '../../../db/schema/addresses'
import { collections, runs, sources } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { crawlLimits } from '../../../server/engine/limits'
import { createTestApp, type TestApp } from '../../support/app'
import { addressRef } from '../../support/refs'
import { lampSite, type Site, type SiteAnswer, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

// The contract of adding, refreshing and deleting a source, line by line.

let test: TestApp
let site: Site
afterEach(async () => {
  await test.close()
  await site.close()
})

const names = (count: number) => Array.from({ length: count }, (_, index) => `/page-${index}`)
const textOf = (path: string) =>
  `<title>${path}</title><main><h1>${path}</h1><p>All about ${path}, and no more.</p></main>`
const mapOf = (paths: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>{origin}${path}</loc></url>`)
    .join('')}</urlset>`

/** A site whose sitemap lists this number of pages. */
function pagesOf(count: number, delayMs = 0): Record<string, SiteAnswer> {
  const pages = names(count).map((path) => [path, { body: textOf(path), delayMs }])
  return { '/sitemap.xml': mapOf(names(count)), ...Object.fromEntries(pages) }
}

async function start(answers: Record<string, SiteAnswer>, plan: 'free' | 'unlimited' = 'unlimited') {
  site = await startSite(answers)
  test = await createTestApp()
  const { app, runner } = test
  const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  await app.db.write((tx) => tx.update(organizations).set({ plan }).where(eq(organizations.id, orgId)))
  const { id: collectionId } = await app.services.collections.create(system, orgId, { name: 'Pages', description: '' })
  const add = async (type: 'sitemap' | 'url' | 'domain', path: string) =>
    (
      await app.services.sources.create(
        system,
        { organizationId: orgId, collectionId },
        { type, name: '', url: site.origin + path },
      )
    ).id
  const look = (id: string) => app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id })
  const refresh = (id: string, body = { crawl: true, auto: false }, options = {}) =>
    app.services.runControl.refresh(system, { organizationId: orgId, collectionId, sourceId: id }, body, options)
  const list = async () =>
    (await app.services.addresses.list(system, orgId, collectionId, { page: 1, limit: 100 })).docs.map(
      (address) => address,
    )
  const byStatus = async () => {
    const counts: Record<string, number> = {}
    for (const { status } of await list()) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  return { app, runner, orgId, collectionId, add, look, refresh, list, byStatus }
}

it('a new source is processing, whatever status is sent, and its first run starts', async () => {
  const { app, runner, orgId, collectionId, look } = await start(pagesOf(3))
  const sent = { type: 'sitemap', url: `${site.origin}/sitemap.xml`, status: 'idle', reason: 'gone' }
  const created = await app.services.sources.create(
    system,
    { organizationId: orgId, collectionId },
    sourceSchema.parse(sent),
  )
  expect(created).toMatchObject({ status: 'processing', reason: null, last_run: { kind: 'full', finished_at: null } })
  await runner.idle()
  expect(await look(created.id)).toMatchObject({ status: 'idle', addresses: 3, last_run: { new: 3 } })
})

it('a refresh responds once addresses are discovered, with their number', async () => {
  const { runner, add, refresh } = await start(pagesOf(4))
  const id = await add('sitemap', '/sitemap.xml')
  await runner.idle()
  site.set('/sitemap.xml', mapOf(names(6)))
  expect(await refresh(id)).toEqual({
    success: true,
    count: 6,
    ignored: 0,
    crawlLimit: false,
    status: expect.stringMatching(/^(crawling|idle)$/),
  })
  await runner.idle()
})

it('during a run a refresh is a conflict, or joins it with auto', async () => {
  const { runner, add, refresh, look, app } = await start(pagesOf(10, 100))
  const id = await add('sitemap', '/sitemap.xml')
  const run = (await look(id)).last_run?.id
  const [joined, refused] = await Promise.allSettled([refresh(id, { crawl: true, auto: true }), refresh(id)])
  expect(joined).toMatchObject({ status: 'fulfilled', value: { success: true, count: 10, status: 'crawling' } })
  expect(refused).toMatchObject({
    status: 'rejected',
    reason: {
      code: 'conflict',
      message: 'A run of this source is already active. Wait until it ends, or cancel it first.',
    },
  })
  expect(statusOf.conflict).toBe(409)
  expect((await look(id)).last_run?.id).toBe(run)
  await runner.idle()
  expect(await app.db.read.$count(runs)).toBe(1)
  // Ten at once start one run.
  const total = await Promise.allSettled(Array.from({ length: 10 }, () => refresh(id)))
  expect(total.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await runner.idle()
  expect(await app.db.read.$count(runs)).toBe(2)
})

it('a refresh without crawl only discovers addresses; the next one with crawl fetches them', async () => {
  const { runner, add, refresh, byStatus, look } = await start(pagesOf(5))
  site.set('/sitemap.xml', mapOf(names(3)))
  const id = await add('sitemap', '/sitemap.xml')
  await runner.idle()
  site.set('/sitemap.xml', mapOf(names(5)))
  const asked = site.visited().length
  const answer = await refresh(id, { crawl: false, auto: false })
  expect(answer).toEqual({ success: true, count: 5, ignored: 0, crawlLimit: false, status: 'idle' })
  expect(site.visited().slice(asked)).toEqual(['/sitemap.xml'])
  expect(await byStatus()).toEqual({ idle: 3, new: 2 })
  await refresh(id)
  await runner.idle()
  expect(await byStatus()).toEqual({ idle: 5 })
  expect((await look(id)).last_run).toMatchObject({ kind: 'full', unchanged: 3, new: 2 })
})

it('responds with 504 after its time limit while the run continues', async () => {
  const { runner, add, refresh, look } = await start({
    ...pagesOf(2),
    '/robots.txt': { status: 404, delayMs: 5_000 },
  })
  const id = await add('sitemap', '/sitemap.xml')
  await expect(refresh(id, { crawl: true, auto: true }, { waitMs: 300 })).rejects.toMatchObject({
    code: 'still_working',
    message: 'Your source is taking a long time to process',
  })
  // Nothing else is asked for before there is a robots.txt.
  expect(site.visited()).toEqual([])
  expect(statusOf.still_working).toBe(504)
  expect(crawlLimits.maxDiscoveryWaitMs).toBe(20_000)
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'idle', addresses: 2 })
})

it("addresses over the plan's limit are skipped and counted, and admitted when there is room", async () => {
  const { app, runner, orgId, collectionId, add, refresh, look } = await start(pagesOf(9), 'free')
  const full = await add('url', '/page-0')
  await runner.idle()
  const place = { organizationId: orgId, collectionId, sourceId: full, status: 'new' as const }
  const rows = Array.from({ length: initialPlans.free.urls - 5 }, (_, index) => ({
    ...place,
    url: `https://lamps.example/${index}`,
  }))
  await app.db.write((tx) => tx.insert(addresses).values(rows))

  const id = await add('sitemap', '/sitemap.xml')
  await runner.idle()
  expect(await look(id)).toMatchObject({
    status: 'url-limit',
    reason: 'over-limit',
    last_run: { new: 4, ignored: 5, rejected: [], skipped: [{ reason: 'over-limit', count: 5 }] },
  })
  const ofStatus = async (status: 'idle' | 'limit') =>
    (await app.services.addresses.list(system, orgId, collectionId, { page: 1, limit: 5, status, sourceId: id })).total
  expect([await ofStatus('idle'), await ofStatus('limit')]).toEqual([4, 5])
  const { urls } = await app.services.organizations.usage(system, orgId)
  expect(urls).toBe(initialPlans.free.urls)
  expect(await refresh(id)).toMatchObject({ success: true, count: 4, ignored: 5, crawlLimit: false })
  await runner.idle()

  await app.services.sources.remove(system, { organizationId: orgId, collectionId, sourceId: full })
  expect(await refresh(id)).toMatchObject({ count: 9, ignored: 0 })
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'idle', reason: null })
  expect([await ofStatus('idle'), await ofStatus('limit')]).toEqual([9, 0])
})

it("a run ends when the month's crawls are used up, and continues next month", async () => {
  const { app, runner, orgId, add, refresh, look, byStatus } = await start(pagesOf(8), 'free')
  const now = new Date()
  const month = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 }
  const used = { organizationId: orgId, ...month, crawls: initialPlans.free.crawls - 3 }
  await app.db.write((tx) => tx.insert(usage).values(used))
  const id = await add('sitemap', '/sitemap.xml')
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'crawl-limit', reason: 'crawl-limit', last_run: { new: 3 } })
  expect(await byStatus()).toEqual({ idle: 3, limit: 5 })
  expect((await app.services.organizations.usage(system, orgId)).crawls).toBe(initialPlans.free.crawls)

  const asked = site.visited().length
  expect(await refresh(id)).toEqual({ success: false, count: 0, ignored: 0, crawlLimit: true, status: 'crawl-limit' })
  await runner.idle()
  expect(site.visited().length).toBe(asked)
  // What was read before stays, and looking for addresses costs nothing.
  expect(await refresh(id, { crawl: false, auto: false })).toMatchObject({ success: true, crawlLimit: false })
  await runner.idle()
  expect(await app.db.read.$count(fragments)).toBe(3)

  const before = and(eq(usage.organizationId, orgId), eq(usage.month, month.month))
  await app.db.write((tx) =>
    tx
      .update(usage)
      .set({ year: month.year - 1 })
      .where(before),
  )
  expect(await refresh(id)).toMatchObject({ success: true, count: 8, crawlLimit: false })
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'idle', reason: null, last_run: { unchanged: 3, new: 5 } })
  expect((await app.services.organizations.usage(system, orgId)).crawls).toBe(8)
})

it('a source that is deleted during its crawl disappears at once, and is purged', async () => {
  const { app, runner, orgId, collectionId, add, look, refresh } = await start(pagesOf(40, 60))
  const id = await add('sitemap', '/sitemap.xml')
  await until(() => site.visited().length > 6)
  await app.services.sources.remove(system, { organizationId: orgId, collectionId, sourceId: id })
  await expect(look(id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(refresh(id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await app.services.addresses.list(system, orgId, collectionId, { page: 1, limit: 5 })).total).toBe(0)
  expect((await app.services.organizations.usage(system, orgId)).urls).toBe(0)
  await runner.idle()
  expect(site.visited().length).toBeLessThan(30)
  expect(await app.db.read.$count(addresses)).toBe(0)
  expect(await app.db.read.$count(fragments)).toBe(0)
  expect(await app.db.read.$count(sources)).toBe(0)
  expect(await app.db.read.$count(jobs, eq(jobs.kind, 'crawl-source'))).toBe(0)
  const found = await app.services.search.collection(system, orgId, { collectionId, query: 'page', limit: 5 })
  expect(found.fragments).toEqual([])
})

it('a collection that is deleted during a crawl is purged, and its agents are unlinked', async () => {
  const { app, runner, orgId, collectionId, add } = await start(pagesOf(40, 60))
  const agent = await app.services.agents.create(system, orgId, { name: 'Helper', description: '', useDefaults: true })
  await app.services.agents.link(system, { organizationId: orgId, agentId: agent.id }, { collectionId })
  const id = await add('sitemap', '/sitemap.xml')
  await until(() => site.visited().length > 6)
  await app.services.collections.remove(system, orgId, collectionId)
  expect(await app.services.agents.get(system, { organizationId: orgId, agentId: agent.id })).toMatchObject({
    status: agentStatuses.noCollection,
    collection_id: null,
  })
  const gone = { code: 'not_found' }
  await expect(
    app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id }),
  ).rejects.toMatchObject(gone)
  const search = app.services.search.collection(system, orgId, { collectionId, query: 'page', limit: 5 })
  await expect(search).rejects.toMatchObject(gone)
  await runner.idle()
  expect(site.visited().length).toBeLessThan(30)
  for (const table of [addresses, fragments, sources, runs, collections])
    expect(await app.db.read.$count(table)).toBe(0)
  expect(await app.db.read.$count(jobs, eq(jobs.kind, 'crawl-source'))).toBe(0)
})

it("addresses have only the contract's six statuses: rejected is fail, excluded is idle", async () => {
  const { app, runner, orgId, collectionId, add, list } = await start({})
  const lamps = await lampSite()
  site.set('/', null)
  const input = { type: 'domain' as const, name: '', url: lamps.origin, exclude: ['/lamps/**'] }
  await app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
  await add('url', '/nothing')
  await runner.idle()
  const [warranty] = (await list()).filter(({ url }) => url.endsWith('/warranty'))
  await app.services.addresses.ignore(system, addressRef({ orgId, collectionId }, warranty?.id))
  const all = await list()
  expect(addressStatuses).toHaveLength(6)
  for (const { status } of all) expect(addressStatuses).toContain(status)
  expect(
    Object.fromEntries(all.map(({ url, status, reason }) => [new URL(url).pathname, `${status} ${reason}`])),
  ).toMatchObject({
    '/private/prices': 'fail robots-disallowed',
    '/members': 'fail noindex',
    '/nothing': 'fail not-found',
    '/lamps/meadow': 'idle excluded',
    '/old-storm': 'idle redirected',
    '/warranty': 'idle ignored',
    '/help/battery': 'idle null',
  })
  for (const status of addressStatuses) expect(statusLabels[status]).toMatch(/^[A-Z]/)
  await lamps.close()
})

it('the reports of the last 20 runs are stored', async () => {
  const { app, runner, orgId, collectionId, add, refresh } = await start(pagesOf(1))
  const id = await add('url', '/page-0')
  await runner.idle()
  const old = Array.from({ length: 25 }, (_, index) => ({
    sourceId: id,
    startedAt: new Date(2026, 0, 1 + index),
    finishedAt: new Date(2026, 0, 1 + index, 1),
  }))
  await app.db.write(async (tx) => {
    const rows = await tx.insert(runs).values(old).returning({ id: runs.id, startedAt: runs.startedAt })
    const counts = rows.map(({ id: runId, startedAt }) => ({ runId, count: startedAt.getDate() - 1 }))
    const unchanged = { outcome: 'unchanged' as const, reason: '', fetched: 0, bytes: 0 }
    await tx.insert(runOutcomes).values(counts.map((row) => ({ ...row, ...unchanged })))
  })
  await refresh(id)
  await runner.idle()
  const { docs, total } = await app.services.runControl.reports(
    system,
    { organizationId: orgId, collectionId, sourceId: id },
    { page: 1, limit: 100 },
  )
  expect([docs.length, total]).toEqual([20, 20])
  expect(docs[0]).toMatchObject({ unchanged: 1, bytes: 0, kind: 'full' })
  expect(docs.slice(2).map(({ checked }) => checked)).toEqual(Array.from({ length: 18 }, (_, index) => 24 - index))
})

it('a refresh of a paused source resumes its run', async () => {
  const { app, runner, orgId, collectionId, add, look, refresh } = await start(pagesOf(20, 60))
  const id = await add('sitemap', '/sitemap.xml')
  await until(() => site.visited().length > 5)
  await app.services.runControl.pause(system, { organizationId: orgId, collectionId, sourceId: id })
  await runner.idle()
  const held = await look(id)
  expect(held).toMatchObject({ status: 'idle', paused: true, reason: 'paused' })
  expect(await refresh(id)).toMatchObject({ success: true, count: 20, status: 'crawling' })
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'idle', paused: false, last_run: { id: held.last_run?.id, new: 20 } })
})

it('fails with a reason if nothing can be read', async () => {
  const { runner, add, look, refresh } = await start({})
  const id = await add('sitemap', '/sitemap.xml')
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'fail', reason: 'not-found' })
  expect(await refresh(id, { crawl: false, auto: false })).toMatchObject({ success: false, count: 0, status: 'fail' })
  site.set('/sitemap.xml', mapOf(['/page-0']))
  site.set('/page-0', textOf('/page-0'))
  await refresh(id)
  await runner.idle()
  expect(await look(id)).toMatchObject({ status: 'idle', reason: null, message: null, addresses: 1 })
})

it('the same site is rejected in the same collection and type, with the name of the existing source', async () => {
  const { app, orgId, collectionId } = await start(pagesOf(1))
  const create = (type: 'domain' | 'url' | 'sitemap', url: string, place = collectionId) =>
    app.services.sources.create(
      system,
      { organizationId: orgId, collectionId: place },
      { type, name: 'The lamps', url },
    )
  await create('domain', site.origin)
  const there = {
    code: 'conflict',
    message: 'This collection already has this Domain, as "The lamps". Refresh or edit that one.',
  }
  await expect(create('domain', `${site.origin}/page-0`)).rejects.toMatchObject(there)
  await create('url', `${site.origin}/page-0`)
  await expect(create('url', `${site.origin}/page-0#top`)).rejects.toMatchObject({ code: 'conflict' })
  await create('url', `${site.origin}/page-1`)
  await create('sitemap', `${site.origin}/page-0`)
  const second = await app.services.collections.create(system, orgId, { name: 'Other', description: '' })
  const again = await create('domain', site.origin, second.id)
  await app.services.sources.remove(system, { organizationId: orgId, collectionId: second.id, sourceId: again.id })
  await create('domain', site.origin, second.id)
})
