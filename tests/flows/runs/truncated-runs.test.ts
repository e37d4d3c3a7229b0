import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { visits } from '../../../db/schema/addresses'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { startTestWorkers } from '../../support/app'
import { crawledSite } from '../../support/sites/crawled-site'
import { subjectPage as page } from '../../support/sites/subject-page'

// A run that ends before it reached every address does not change the others.

const { collection, site, open } = crawledSite()

const place = (id: string) =>
  [system, { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id }] as const
const read = ['/', '/a', '/b', '/c', '/d', '/e', '/f', '/secret', '/lost', '/script', '/twin']
const out = ['/secret', '/lost', '/script', '/staff', '/twin', '/drafts/x']
const reasons = ['noindex', 'not-found', 'needs-script', 'robots-disallowed', 'duplicate', 'excluded']

async function start(): Promise<string> {
  const pages = Object.fromEntries(['/a', '/b', '/c', '/d', '/e', '/f'].map((path) => [path, page(`Page ${path}`)]))
  await open({
    ...pages,
    '/robots.txt': 'User-agent: *\nDisallow: /staff',
    '/': page('Front', [...read.slice(1), '/staff', '/drafts/x']),
    '/secret':
      '<html><head><title>Secret</title><meta name="robots" content="noindex"></head><body>Secret</body></html>',
    '/script':
      '<html><head><title>Shop</title></head><body><div id="root"></div><script src="/x.js"></script></body></html>',
    '/twin': page('Page /a'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin, exclude: ['/drafts/**'] })
  const known = await collection.addresses()
  expect(out.map((path) => known[path]?.reason)).toEqual(reasons)
  return id
}

/** What the API shows of each address. */
async function told() {
  const known = Object.entries(await collection.addresses())
  return Object.fromEntries(
    known.map(([path, { status, reason, message, http_status, fragments }]) => [
      path,
      { status, reason, message, http_status, fragments },
    ]),
  )
}

const slow = page('Slow')

async function startReading(id: string): Promise<void> {
  for (const path of read) site.set(path, { body: slow, headers: { 'content-type': 'text/html' }, delayMs: 600 })
  const asked = site.visited().length
  await collection.test.app.services.runControl.refresh(...place(id), { crawl: true, auto: true }, { waitMs: 0 })
  await expect.poll(() => site.visited().slice(asked)).toContain('/')
}

async function lookedAt(runId: string): Promise<string[]> {
  const rows = await collection.test.app.db.read.select().from(visits).where(eq(visits.runId, runId))
  return rows.map(({ url }) => new URL(url).pathname)
}

async function expectAsBefore(id: string, before: Awaited<ReturnType<typeof told>>): Promise<void> {
  const { last_run: run } = await collection.source(id)
  expect(run).toMatchObject({ cancelled: true, finished_at: expect.any(String) })
  const after = await told()
  // Pages that were being fetched are finished.
  const looked = await lookedAt(run?.id ?? '')
  for (const path of Object.keys(before).filter((path) => !looked.includes(path)))
    expect(after[path], path).toEqual(before[path])
  expect(looked.length).toBeLessThan(8)
  const left = run?.skipped.reduce((sum, { count }) => sum + count, 0) ?? 0
  expect((run?.checked ?? 0) + left).toBe(Object.keys(before).length)
  expect(run?.skipped.map(({ reason }) => reason)).toContain('cancelled')
}

it('a cancelled run does not change the addresses that it did not reach', async () => {
  const id = await start()
  const before = await told()
  await startReading(id)
  await collection.test.app.services.runControl.cancel(...place(id))
  await collection.test.runner.idle()
  await expectAsBefore(id, before)
}, 30_000)

it('a run cancelled during discovery or after a pause does not change them either', async () => {
  const id = await start()
  const before = await told()
  await startReading(id)
  await collection.test.app.services.runControl.pause(...place(id))
  await collection.test.runner.idle()
  await collection.test.app.services.runControl.cancel(...place(id))
  await collection.test.runner.idle()
  await expectAsBefore(id, before)

  const meanwhile = await told()
  site.set('/sitemap.xml', { body: '', delayMs: 'never' })
  const asked = site.visited().length
  await collection.test.app.services.runControl.refresh(...place(id), { crawl: true, auto: true }, { waitMs: 0 })
  await expect.poll(() => site.visited().slice(asked)).toContain('/sitemap.xml')
  await collection.test.app.services.runControl.cancel(...place(id))
  await collection.test.runner.idle()
  await expectAsBefore(id, meanwhile)
}, 30_000)

it('a run that survives a restart does not change them either', async () => {
  const id = await start()
  const before = await told()
  await startReading(id)
  await collection.test.runner.stop()
  const underWay = `update visits set claimed_at = 1, epoch = 1 where outcome is null`
  await collection.test.app.db.write((tx) => tx.execute(sql.raw(underWay)))
  await collection.test.app.services.runControl.cancel(...place(id))
  await collection.test.app.db.write((tx) => tx.execute(sql.raw(`update jobs set status = 'queued', run_after = 0`)))
  const again = await startTestWorkers(collection.test.app)
  await again.idle()
  await again.stop()
  await expectAsBefore(id, before)
}, 30_000)

it('the reason of a postponed address is removed with its run', async () => {
  const id = await start()
  const before = await told()
  await startReading(id)
  const soon = `update visits set reason = 'rate-limited', message = 'x', http_status = 429, attempts = 1 where outcome is null`
  await collection.test.app.db.write((tx) => tx.execute(sql.raw(soon)))
  await collection.test.app.services.runControl.cancel(...place(id))
  await collection.test.runner.idle()
  await expectAsBefore(id, before)
}, 30_000)

it('addresses that changed options admit again are unchanged', async () => {
  const id = await start()
  const before = await told()
  const { sources } = collection.test.app.services
  await sources.edit(...place(id), { name: 'Shop', exclude: [] })
  await startReading(id)
  await collection.test.app.services.runControl.cancel(...place(id))
  await collection.test.runner.idle()
  await expectAsBefore(id, before)
}, 30_000)

it("excluded addresses keep their reason when the month's crawls are used up", async () => {
  const id = await start()
  const before = await told()
  const { db } = collection.test.app
  await db.write((tx) => tx.update(organizations).set({ plan: 'free' }).where(eq(organizations.id, collection.orgId)))
  await db.write((tx) => tx.update(usage).set({ crawls: initialPlans.free.crawls - 1 }))
  const { last_run: run, status } = await collection.refresh(id)
  expect(status).toBe('crawl-limit')
  const after = await told()
  for (const path of out) expect(after[path], path).toEqual(before[path])
  const left = run?.skipped.reduce((sum, { count }) => sum + count, 0) ?? 0
  expect((run?.checked ?? 0) + left).toBe(Object.keys(before).length)
}, 30_000)
