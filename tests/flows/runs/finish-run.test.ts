import { eq } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { createRefresh } from '../../../server/services/crawling/runs/control/refresh'
import { createRequestRun } from '../../../server/services/runs/request-run'
import { takeRun } from '../../../server/services/runs/run-context'
import { findSource } from '../../../server/services/source-rows/find-source'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'
import type { SiteAnswer } from '../../support/sites/site'

// State after a run that was paused, interrupted or cancelled before it fetched everything.

const { collection, site, open } = crawledSite()

const place = (id: string) =>
  [system, { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id }] as const
const page = (text: string): SiteAnswer =>
  `<title>${text}</title><main><h1>${text}</h1><p>All about ${text}.</p></main>`
const mapOf = (paths: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>{origin}${path}</loc></url>`)
    .join('')}</urlset>`

it('addresses over the limit are counted once, even if their discovery is interrupted and restarts', async () => {
  const count = Array.from({ length: 3_000 }, (_, number) => `/${number}`)
  const index = ['/first.xml', '/second.xml'].map((path) => `<sitemap><loc>{origin}${path}</loc></sitemap>`).join('')
  await open({
    '/sitemap.xml': `<sitemapindex>${index}</sitemapindex>`,
    '/first.xml': mapOf(count),
    '/second.xml': { body: '', delayMs: 'never' },
    '/0': page('Nought'),
    '/1': page('One'),
  })
  const { runControl } = collection.test.app.services
  const id = await collection.add({ type: 'sitemap', url: `${site.origin}/sitemap.xml`, max_pages: 2 }, false)
  const ignored = async () => (await collection.source(id)).last_run?.ignored ?? 0
  await expect.poll(ignored).toBeGreaterThan(0)
  await runControl.pause(...place(id))
  await collection.test.runner.idle()
  site.set('/second.xml', mapOf(['/0']))
  await runControl.resume(...place(id))
  await collection.test.runner.idle()
  expect((await collection.source(id)).last_run).toMatchObject({ new: 2, ignored: 2_998 })
}, 60_000)

it('keeps the rejection reason after a failed retry', async () => {
  await open({ '/': page('Front'), '/gone': page('Gone'), '/left': page('Left') })
  const { db } = collection.test.app
  const { addresses, runControl } = collection.test.app.services
  const id = await collection.add({ type: 'url', url: `${site.origin}/gone` })
  const otherText = await collection.add({ type: 'url', url: `${site.origin}/left` })
  site.set('/gone', { status: 410 })
  await collection.refresh(id)
  const known = await collection.addresses()
  const ref = (path: string) => addressRef(collection, known[path]?.id)
  await addresses.ignore(system, ref('/left'))

  await addresses.retry(system, ref('/left'))
  await runControl.pause(...place(otherText))
  await collection.test.runner.idle()
  await runControl.cancel(...place(otherText))
  await collection.test.runner.idle()
  expect((await collection.addresses())['/left']).toMatchObject({ status: 'new', reason: null, fragments: 0 })

  await db.write((tx) => tx.update(organizations).set({ plan: 'free' }).where(eq(organizations.id, collection.orgId)))
  await db.write((tx) => tx.update(usage).set({ crawls: initialPlans.free.crawls }))
  for (const path of ['/gone', '/left']) await addresses.retry(system, ref(path))
  await collection.test.runner.idle()
  expect((await collection.addresses())['/gone']).toMatchObject({ status: 'fail', reason: 'gone', http_status: 410 })
  expect((await collection.addresses())['/left']).toMatchObject({ status: 'limit', reason: 'crawl-limit' })
})

it('a run that is paused while finishing keeps its queue; cancelling it then is a conflict', async () => {
  await open({ '/': page('Front') })
  const id = await collection.add({ type: 'url', url: `${site.origin}/` })
  const { db } = collection.test.app
  const { runControl, crawling } = collection.test.app.services
  const { finishRun, discovery } = crawling
  await collection.test.runner.stop()
  await runControl.refresh(...place(id), { crawl: true, auto: false }, { waitMs: 0 })
  const run = await takeRun(db, id, (await collection.source(id)).last_run?.id ?? '')
  if (!run) throw new Error('There is no run.')
  await discovery.finishDiscovery(run, null)
  await runControl.pause(...place(id))
  for (const end of [finishRun.stopAtLimit, finishRun.giveUp]) {
    expect(await end(run)).toBe(false)
    expect((await collection.addresses())['/']).toMatchObject({ status: 'pending', reason: null })
  }
  expect(await collection.source(id)).toMatchObject({ paused: true, last_run: { finished_at: null } })
  await runControl.cancel(...place(id))
  expect(await finishRun.stopAtLimit(run)).toBe(true)
  expect(await collection.source(id)).toMatchObject({ status: 'idle', reason: null, last_run: { cancelled: true } })
  expect((await collection.addresses())['/']).toMatchObject({ status: 'idle', reason: null, fragments: 1 })
})

it('a full refresh follows a run that only discovers addresses', async () => {
  await open({ '/': page('Front') })
  const { runControl } = collection.test.app.services
  const id = await collection.add({ type: 'domain', url: site.origin })
  const refresh = (crawl: boolean, auto: boolean, waitMs = 0) =>
    runControl.refresh(...place(id), { crawl, auto }, { waitMs })
  const look = async () => (await collection.source(id)).last_run
  const conflict = (message: string) => ({ code: 'conflict', message: expect.stringContaining(message) })
  site.set('/sitemap.xml', { body: '', delayMs: 'never' })
  await refresh(false, false)
  for (const waitMs of [0, 300])
    await expect(refresh(true, true, waitMs)).rejects.toMatchObject(conflict('no other run was started'))
  expect(await look()).toMatchObject({ kind: 'discover', finished_at: null })

  await runControl.pause(...place(id))
  await collection.test.runner.idle()
  await expect(refresh(true, false)).rejects.toMatchObject(conflict('Resume or cancel it first'))
  expect(await collection.source(id)).toMatchObject({ paused: true, last_run: { kind: 'discover', finished_at: null } })
  site.set('/sitemap.xml', null)
  expect(await refresh(true, true, 20_000)).toMatchObject({ success: true, count: 1 })
  await collection.test.runner.idle()
  expect(await look()).toMatchObject({ kind: 'full', checked: 1 })
  const { docs } = await runControl.reports(...place(id), { page: 1, limit: 10 })
  expect(docs.map(({ kind, finished_at }) => [kind, finished_at !== null])).toEqual([
    ['full', true],
    ['discover', true],
    ['full', true],
  ])
}, 60_000)

it('a run that is paused while a request waits for it stays paused', async () => {
  await open({ '/': page('Front') })
  const { db, services } = collection.test.app
  const { organizations, runControl } = services
  const id = await collection.add({ type: 'domain', url: site.origin })
  site.set('/sitemap.xml', { body: '', delayMs: 'never' })
  await runControl.refresh(...place(id), { crawl: false, auto: false }, { waitMs: 0 })
  const requestRun = createRequestRun({ db, organizations })
  const start = vi.spyOn(requestRun, 'start')
  const refresh = createRefresh({ db, frontier: { countOverLimit: async () => 0 }, requestRun })
  const source = await findSource(db.read, place(id)[1])
  const waits = expect(refresh(source, { crawl: true, auto: true }, { waitMs: 1_500 })).rejects.toMatchObject({
    code: 'conflict',
  })
  await vi.waitUntil(() => start.mock.results.length > 0)
  await start.mock.results[0]?.value
  await runControl.pause(...place(id))
  await waits
  expect(await collection.source(id)).toMatchObject({ paused: true, last_run: { kind: 'discover', finished_at: null } })
}, 60_000)

it('a source without any admitted page shows why', async () => {
  await open({ '/sitemap.xml': mapOf(['/a', '/b', '/deep/c']), '/': page('Front') })
  const id = await collection.add({ type: 'sitemap', url: `${site.origin}/sitemap.xml`, exclude: ['/**'] })
  expect(await collection.source(id)).toMatchObject({
    status: 'fail',
    reason: 'excluded',
    message: "No page is indexed. The most frequent reason: The source's patterns exclude this address.",
  })
})

it('finishes a paused run that is cancelled', async () => {
  await open({ '/': page('Front'), '/sitemap.xml': { body: '', delayMs: 'never' } })
  const { db } = collection.test.app
  const { runControl } = collection.test.app.services
  const id = await collection.add({ type: 'domain', url: site.origin }, false)
  await expect.poll(() => site.visited()).toContain('/sitemap.xml')
  const write = db.write.bind(db)
  db.write = async (work) => {
    db.write = write
    await runControl.pause(...place(id))
    await collection.test.runner.idle()
    return write(work)
  }
  await runControl.cancel(...place(id))
  await collection.test.runner.idle()
  expect(await collection.source(id)).toMatchObject({ status: 'idle', paused: false, last_run: { cancelled: true } })
  expect((await collection.source(id)).last_run?.finished_at).not.toBeNull()
}, 30_000)
