import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { crawlLimits } from '../../../server/engine/limits'
import { takeRun } from '../../../server/services/runs/run-context'
import { createTestApp } from '../../support/app'
import { createCollection } from '../../support/sites/crawl'
import { crawledSite } from '../../support/sites/crawled-site'
import type { SiteAnswer } from '../../support/sites/site'
import { subjectPage as page } from '../../support/sites/subject-page'

const { collection, site, open } = crawledSite()

function place(id: string) {
  return [system, { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id }] as const
}

async function crawlsOfMonth() {
  return (await collection.test.app.services.organizations.usage(system, collection.orgId)).crawls
}

describe('a site that rate-limits the crawler', () => {
  it('uses neither crawls nor attempts of the waiting addresses', async () => {
    const links = Array.from({ length: 20 }, (_, number) => `/${number}`)
    const busy: SiteAnswer = { status: 429, headers: { 'retry-after': '3600' } }
    const others = Object.fromEntries(links.map((link) => [link, page(`Page ${link}`)]))
    const url = await open({ '/': page('Front', links), ...others, '/3': busy })
    const id = await collection.add({ type: 'domain', url })
    const asked = site.visited().filter((path) => path !== '/sitemap.xml').length
    for (let look = 0; look < 3; look++) {
      await collection.test.app.db.write((tx) => tx.execute(sql.raw('update jobs set run_after = 0')))
      await collection.test.runner.idle()
    }
    const waiting = Object.values(await collection.addresses()).filter(({ status }) => status === 'pending')
    expect(waiting.length).toBeGreaterThan(0)
    expect(Math.max(...waiting.map(({ failures }) => failures))).toBe(1)
    expect(await collection.source(id)).toMatchObject({ status: 'crawling', last_run: { finished_at: null } })
    expect(site.visited().filter((path) => path !== '/sitemap.xml')).toHaveLength(asked)
    expect(await crawlsOfMonth()).toBeLessThanOrEqual(asked)
  })

  it('is asked again for a sitemap or robots.txt that failed once', async () => {
    await collection.test.close()
    // A robots.txt that could not be read is not asked for again before its time.
    const retryDelaysMs = [0, crawlLimits.robots.failureCacheMs]
    Object.assign(collection, await createCollection({}, 'Fennel', await createTestApp({}, { retryDelaysMs })))
    let asked = 0
    const failsOnce: SiteAnswer = () => (asked++ === 0 ? { status: 503 } : { status: 404 })
    const map = () => (asked < 2 ? { status: 503, headers: { 'retry-after': '1' } } : { body: list })
    const list = '<urlset><url><loc>{origin}/a</loc></url></urlset>'
    const url = await open({ '/robots.txt': failsOnce, '/map.xml': map, '/a': page('Alpha') })
    await collection.add({ type: 'url', url: `${url}/a` })
    expect((await collection.addresses())['/a']).toMatchObject({ status: 'idle', reason: null })
    let tries = 0
    site.set('/map.xml', () => (tries++ === 0 ? { status: 503 } : { body: list }))
    const id = await collection.add({ type: 'sitemap', url: `${url}/map.xml` })
    expect(await collection.source(id)).toMatchObject({ status: 'idle', last_run: { new: 1, problem: null } })
  }, 60_000)
})

describe('a run that is paused', () => {
  it('during discovery stops at once, and finishes after resume', async () => {
    const url = await open({ '/': page('Front'), '/sitemap.xml': { body: '', delayMs: 'never' } })
    const id = await collection.add({ type: 'domain', url }, false)
    await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/sitemap.xml')
    await collection.test.app.services.runControl.pause(...place(id))
    await collection.test.runner.idle()
    site.set('/sitemap.xml', null)
    await collection.test.app.services.runControl.resume(...place(id))
    await collection.test.runner.idle()
    expect(await collection.source(id)).toMatchObject({ status: 'idle', paused: false, last_run: { new: 1 } })
  })

  it('can be resumed if it only discovers addresses', async () => {
    const url = await open({ '/': page('Front') })
    const id = await collection.add({ type: 'domain', url })
    site.set('/sitemap.xml', { body: '', delayMs: 'never' })
    const { runControl } = collection.test.app.services
    await runControl.refresh(...place(id), { crawl: false, auto: false }, { waitMs: 0 })
    await expect.poll(async () => (await collection.source(id)).status).toBe('processing')
    await runControl.pause(...place(id))
    await collection.test.runner.idle()
    site.set('/sitemap.xml', null)
    await runControl.resume(...place(id))
    await collection.test.runner.idle()
    expect(await collection.source(id)).toMatchObject({ status: 'idle', last_run: { kind: 'discover' } })
    expect((await collection.source(id)).last_run?.finished_at).not.toBeNull()
  })

  it('stays paused if it is paused while finishing', async () => {
    const url = await open({ '/': page('Front') })
    const id = await collection.add({ type: 'domain', url })
    const { db } = collection.test.app
    const { runControl, crawling } = collection.test.app.services
    await collection.test.runner.stop()
    await runControl.refresh(...place(id), { crawl: true, auto: false }, { waitMs: 0 })
    const run = await takeRun(db, id, (await collection.source(id)).last_run?.id ?? '')
    if (!run) throw new Error('There is no run.')
    await runControl.pause(...place(id))
    expect(await crawling.finishRun.finish(run)).toBe(false)
    expect(await collection.source(id)).toMatchObject({ paused: true, last_run: { finished_at: null } })
    await runControl.cancel(...place(id))
    expect(await crawling.finishRun.finish(run)).toBe(true)
    expect(await collection.source(id)).toMatchObject({ status: 'idle', paused: false, last_run: { cancelled: true } })
  })
})

describe('run counts', () => {
  it('include an address over the limit once, however many pages link to it', async () => {
    const all = Array.from({ length: 12 }, (_, number) => `/${number}`)
    const pages = Object.fromEntries(all.map((link) => [link, page(`Page ${link}`, all)]))
    const url = await open({ '/': page('Front', all), ...pages })
    const id = await collection.add({ type: 'domain', url, max_pages: 5 })
    expect((await collection.source(id)).last_run).toMatchObject({ new: 5, ignored: 8 })
    expect((await collection.refresh(id)).last_run).toMatchObject({ unchanged: 5, ignored: 8 })
  })

  it('include excluded addresses', async () => {
    const url = await open({ '/': page('Front', ['/a']), '/a': page('Alpha') })
    const id = await collection.add({ type: 'domain', url })
    await collection.test.app.services.sources.edit(...place(id), { exclude: ['/a'] })
    expect((await collection.refresh(id)).last_run).toMatchObject({ withdrawn: 1, unchanged: 1 })
  })
})

it('a text whose page is removed moves to its duplicate in the same run', async () => {
  const url = await open({ '/': page('Front', ['/a', '/b']), '/a': page('Twin'), '/b': page('Twin') })
  const id = await collection.add({ type: 'domain', url })
  const all = Object.entries(await collection.addresses())
  const [keeper = ''] = all.find(([path, { fragments }]) => path !== '/' && fragments > 0) ?? []
  site.set(keeper, { status: 410 })
  await collection.refresh(id)
  const left = Object.entries(await collection.addresses()).filter(([, { fragments }]) => fragments > 0)
  expect(left.map(([path]) => path).sort()).toEqual(['/', keeper === '/a' ? '/b' : '/a'].sort())
})

it('sources without crawls left do not block scheduled refreshes of others', async () => {
  const url = await open({ '/': page('Front') })
  const id = await collection.add({ type: 'url', url: `${url}/` })
  const { db } = collection.test.app
  const { runControl } = collection.test.app.services
  const now = new Date()
  const spent = `insert into usage (organization_id, year, month, crawls)
    values ('${collection.orgId}', ${now.getUTCFullYear()}, ${now.getUTCMonth() + 1}, 1000000)
    on conflict (organization_id, year, month) do update set crawls = 1000000`
  await db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'free'`)))
  await db.write((tx) => tx.execute(sql.raw(spent)))
  await db.write((tx) => tx.execute(sql.raw('update sources set refresh_due_at = 1')))
  expect(await runControl.refreshDue()).toBe(0)
  const source = await collection.source(id)
  expect(source).toMatchObject({ status: 'crawl-limit', reason: 'crawl-limit' })
  expect(Date.parse(source.refresh_due_at ?? '')).toBeGreaterThan(Date.now())
})
