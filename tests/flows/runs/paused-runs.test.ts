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

const { here, site, open } = crawledSite()

function place(id: string) {
  return [system, { organizationId: here.orgId, collectionId: here.collectionId, sourceId: id }] as const
}

async function crawlsOfMonth() {
  return (await here.test.app.services.organizations.usage(system, here.orgId)).crawls
}

describe('a site that rate-limits the crawler', () => {
  it('uses neither crawls nor attempts of the waiting addresses', async () => {
    const links = Array.from({ length: 20 }, (_, number) => `/${number}`)
    const busy: SiteAnswer = { status: 429, headers: { 'retry-after': '3600' } }
    const others = Object.fromEntries(links.map((link) => [link, page(`Page ${link}`)]))
    const url = await open({ '/': page('Front', links), ...others, '/3': busy })
    const id = await here.add({ type: 'domain', url })
    const asked = site.visited().filter((path) => path !== '/sitemap.xml').length
    for (let look = 0; look < 3; look++) {
      await here.test.app.db.write((tx) => tx.execute(sql.raw('update jobs set run_after = 0')))
      await here.test.runner.idle()
    }
    const waiting = Object.values(await here.addresses()).filter(({ status }) => status === 'pending')
    expect(waiting.length).toBeGreaterThan(0)
    expect(Math.max(...waiting.map(({ failures }) => failures))).toBe(1)
    expect(await here.source(id)).toMatchObject({ status: 'crawling', last_run: { finished_at: null } })
    expect(site.visited().filter((path) => path !== '/sitemap.xml')).toHaveLength(asked)
    expect(await crawlsOfMonth()).toBeLessThanOrEqual(asked)
  })

  it('is asked again for a sitemap or robots.txt that failed once', async () => {
    await here.test.close()
    // A robots.txt that could not be read is not asked for again before its time.
    const retryDelaysMs = [0, crawlLimits.robots.failureCacheMs]
    Object.assign(here, await createCollection({}, 'Fennel', await createTestApp({}, { retryDelaysMs })))
    let asked = 0
    const failsOnce: SiteAnswer = () => (asked++ === 0 ? { status: 503 } : { status: 404 })
    const map = () => (asked < 2 ? { status: 503, headers: { 'retry-after': '1' } } : { body: list })
    const list = '<urlset><url><loc>{origin}/a</loc></url></urlset>'
    const url = await open({ '/robots.txt': failsOnce, '/map.xml': map, '/a': page('Alpha') })
    await here.add({ type: 'url', url: `${url}/a` })
    expect((await here.addresses())['/a']).toMatchObject({ status: 'idle', reason: null })
    let tries = 0
    site.set('/map.xml', () => (tries++ === 0 ? { status: 503 } : { body: list }))
    const id = await here.add({ type: 'sitemap', url: `${url}/map.xml` })
    expect(await here.source(id)).toMatchObject({ status: 'idle', last_run: { new: 1, problem: null } })
  }, 60_000)
})

describe('a run that is paused', () => {
  it('during discovery stops at once, and finishes after resume', async () => {
    const url = await open({ '/': page('Front'), '/sitemap.xml': { body: '', delayMs: 'never' } })
    const id = await here.add({ type: 'domain', url }, false)
    await expect.poll(() => site.requests.map(({ path }) => path)).toContain('/sitemap.xml')
    await here.test.app.services.runControl.pause(...place(id))
    await here.test.runner.idle()
    site.set('/sitemap.xml', null)
    await here.test.app.services.runControl.resume(...place(id))
    await here.test.runner.idle()
    expect(await here.source(id)).toMatchObject({ status: 'idle', paused: false, last_run: { new: 1 } })
  })

  it('can be resumed if it only discovers addresses', async () => {
    const url = await open({ '/': page('Front') })
    const id = await here.add({ type: 'domain', url })
    site.set('/sitemap.xml', { body: '', delayMs: 'never' })
    const { runControl } = here.test.app.services
    await runControl.refresh(...place(id), { crawl: false, auto: false }, { waitMs: 0 })
    await expect.poll(async () => (await here.source(id)).status).toBe('processing')
    await runControl.pause(...place(id))
    await here.test.runner.idle()
    site.set('/sitemap.xml', null)
    await runControl.resume(...place(id))
    await here.test.runner.idle()
    expect(await here.source(id)).toMatchObject({ status: 'idle', last_run: { kind: 'discover' } })
    expect((await here.source(id)).last_run?.finished_at).not.toBeNull()
  })

  it('while finishing stays paused', async () => {
    const url = await open({ '/': page('Front') })
    const id = await here.add({ type: 'domain', url })
    const { db } = here.test.app
    const { runControl, crawling } = here.test.app.services
    await here.test.runner.stop()
    await runControl.refresh(...place(id), { crawl: true, auto: false }, { waitMs: 0 })
    const run = await takeRun(db, id, (await here.source(id)).last_run?.id ?? '')
    if (!run) throw new Error('There is no run.')
    await runControl.pause(...place(id))
    expect(await crawling.finishRun.finish(run)).toBe(false)
    expect(await here.source(id)).toMatchObject({ paused: true, last_run: { finished_at: null } })
    await runControl.cancel(...place(id))
    expect(await crawling.finishRun.finish(run)).toBe(true)
    expect(await here.source(id)).toMatchObject({ status: 'idle', paused: false, last_run: { cancelled: true } })
  })
})

describe('run counts', () => {
  it('include an address over the limit once, however many pages link to it', async () => {
    const all = Array.from({ length: 12 }, (_, number) => `/${number}`)
    const pages = Object.fromEntries(all.map((link) => [link, page(`Page ${link}`, all)]))
    const url = await open({ '/': page('Front', all), ...pages })
    const id = await here.add({ type: 'domain', url, max_pages: 5 })
    expect((await here.source(id)).last_run).toMatchObject({ new: 5, ignored: 8 })
    expect((await here.refresh(id)).last_run).toMatchObject({ unchanged: 5, ignored: 8 })
  })

  it('include excluded addresses', async () => {
    const url = await open({ '/': page('Front', ['/a']), '/a': page('Alpha') })
    const id = await here.add({ type: 'domain', url })
    await here.test.app.services.sources.edit(...place(id), { exclude: ['/a'] })
    expect((await here.refresh(id)).last_run).toMatchObject({ withdrawn: 1, unchanged: 1 })
  })
})

it('a text whose page is removed moves to its duplicate in the same run', async () => {
  const url = await open({ '/': page('Front', ['/a', '/b']), '/a': page('Twin'), '/b': page('Twin') })
  const id = await here.add({ type: 'domain', url })
  const all = Object.entries(await here.addresses())
  const [keeper = ''] = all.find(([path, { fragments }]) => path !== '/' && fragments > 0) ?? []
  site.set(keeper, { status: 410 })
  await here.refresh(id)
  const left = Object.entries(await here.addresses()).filter(([, { fragments }]) => fragments > 0)
  expect(left.map(([path]) => path).sort()).toEqual(['/', keeper === '/a' ? '/b' : '/a'].sort())
})

it('sources without crawls left do not block scheduled refreshes of others', async () => {
  const url = await open({ '/': page('Front') })
  const id = await here.add({ type: 'url', url: `${url}/` })
  const { db } = here.test.app
  const { runControl } = here.test.app.services
  const now = new Date()
  const spent = `insert into usage (organization_id, year, month, crawls)
    values ('${here.orgId}', ${now.getUTCFullYear()}, ${now.getUTCMonth() + 1}, 1000000)
    on conflict do update set crawls = 1000000`
  await db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'free'`)))
  await db.write((tx) => tx.execute(sql.raw(spent)))
  await db.write((tx) => tx.execute(sql.raw('update sources set refresh_due_at = 1')))
  expect(await runControl.refreshDue()).toBe(0)
  const source = await here.source(id)
  expect(source).toMatchObject({ status: 'crawl-limit', reason: 'crawl-limit' })
  expect(Date.parse(source.refresh_due_at ?? '')).toBeGreaterThan(Date.now())
})
