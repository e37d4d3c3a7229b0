import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initialPlans } from '../../../contract/organizations/plan'
import { runSentence } from '../../../contract/texts/pages/run-sentence'
import type { ReasonCount, RunReport } from '../../../contract/views/run'
import { organizations } from '../../../db/schema/organizations'
import { usage } from '../../../db/schema/usage'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { type Site, startSite } from '../../support/sites/site'

// The totals of a report equal the number of checked addresses, and those that the table lists.

let site: Site
let collection: CrawledCollection
beforeEach(async () => {
  collection = await createCollection()
})
afterEach(async () => {
  await collection.test.close()
  await site.close()
})

const page = (title: string, { links = [], head = '' }: { links?: string[]; head?: string } = {}) =>
  `<html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
   <p>All about ${title}, with some words of its own.</p></main>
   <nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</nav></body></html>`

const links = [
  ...['/desk', '/storm', '/old-storm', '/older-storm', '/care?lang=en', '/hidden', '/closed/x', '/lost'],
  ...['/moved', '/drafts/x', '/guide'],
]

async function start(): Promise<string> {
  site = await startSite({
    '/robots.txt': 'User-agent: *\nDisallow: /closed/',
    '/': page('Lamps', { links }),
    '/desk': page('Desk'),
    '/storm': page('Storm'),
    '/old-storm': page('Storm'),
    '/older-storm': page('Storm'),
    '/care?lang=en': page('Care, too', { head: '<link rel="canonical" href="/care">' }),
    '/care': page('Care'),
    '/hidden': page('Hidden', { head: '<meta name="robots" content="noindex">' }),
    '/moved': { status: 301, headers: { location: '/desk' } },
    '/guide': page('Guide'),
  })
  return collection.add({ type: 'domain', url: site.origin, exclude: ['/drafts/**'] })
}

async function reportOf(id: string): Promise<RunReport> {
  const { last_run: run } = await collection.source(id)
  if (!run) throw new Error('There is no run.')
  return run
}

const sumOf = (reasons: ReasonCount[]) => reasons.reduce((sum, { count }) => sum + count, 0)
const byReason = (reasons: ReasonCount[]) => Object.fromEntries(reasons.map(({ reason, count }) => [reason, count]))

function expectToAddUp(run: RunReport): void {
  const { checked, unchanged, changed, withdrawn, failed, canonicalized } = run
  expect(checked).toBe(unchanged + changed + run.new + withdrawn + sumOf(run.rejected))
  expect(sumOf(run.rejected)).toBe(failed + canonicalized)
  expect(sumOf(run.withdrawals)).toBe(withdrawn)
}

/** How many addresses the table lists for each reason. */
async function listed(): Promise<Record<string, number>> {
  const count: Record<string, number> = {}
  for (const { reason } of Object.values(await collection.addresses()))
    if (reason) count[reason] = (count[reason] ?? 0) + 1
  return count
}

const refused = { duplicate: 2, canonical: 1, redirected: 1, noindex: 1, 'robots-disallowed': 1, 'not-found': 1 }

describe('the totals of a run', () => {
  it('add up for its first run, and name duplicates', async () => {
    const run = await reportOf(await start())
    expectToAddUp(run)
    expect(run).toMatchObject({ checked: 12, new: 5, unchanged: 0, changed: 0, failed: 3, canonicalized: 4 })
    expect(byReason(run.rejected)).toEqual(refused)
    expect(byReason(run.skipped)).toEqual({ excluded: 1 })
    expect(await listed()).toEqual({ ...refused, excluded: 1 })
    expect(runSentence(run)).toBe('12 checked, 5 new, 3 failed, 4 redirects')
  })

  it('add up for a refresh with an unchanged duplicate', async () => {
    const id = await start()
    const asked = site.requests.length
    site.set('/guide', page('Guide, again'))
    const { last_run: run } = await collection.refresh(id)
    if (!run) throw new Error('There is no run.')
    const twin = site.requests.slice(asked).find(({ path }) => path === '/old-storm')
    expect(twin?.headers).toHaveProperty('if-none-match')
    expectToAddUp(run)
    expect(run).toMatchObject({ checked: 12, new: 0, unchanged: 4, changed: 1, failed: 3, canonicalized: 4 })
    expect(byReason(run.rejected)).toEqual(refused)
    expect(byReason(run.skipped)).toEqual({ excluded: 1 })
  })

  it('say why pages were removed, and count a page that is missing for the first time', async () => {
    const id = await start()
    site.set('/desk', { status: 404 })
    site.set('/guide', { status: 410 })
    site.set('/storm', page('Storm', { head: '<meta name="robots" content="noindex">' }))
    const { last_run: run } = await collection.refresh(id)
    if (!run) throw new Error('There is no run.')
    expectToAddUp(run)
    expect(byReason(run.withdrawals)).toEqual({ gone: 1, noindex: 1 })
    expect(byReason(run.rejected)).toMatchObject({ 'missing-once': 1, duplicate: 1 })
    const out = { ...byReason(run.rejected) }
    for (const { reason, count } of [...run.withdrawals, ...run.skipped]) out[reason] = (out[reason] ?? 0) + count
    expect(await listed()).toEqual(out)
    const told = await collection.test.app.services.addresses.reasons(
      system,
      collection.orgId,
      collection.collectionId,
      { sourceId: id },
    )
    expect(Object.fromEntries(told.map(({ reason, count }) => [reason, count]))).toEqual(out)
    const second = { sourceId: collection.collectionId }
    expect(
      await collection.test.app.services.addresses.reasons(system, collection.orgId, collection.collectionId, second),
    ).toEqual([])
  })

  it('add up if a better address takes over a text, and if a canonical address is missing', async () => {
    const id = await start()
    site.set('/', page('Lamps', { links: [...links, '/a'] }))
    site.set('/a', page('Storm'))
    site.set('/care', { status: 404 })
    const second = (await collection.refresh(id)).last_run
    if (!second) throw new Error('There is no run.')
    expectToAddUp(second)
    expect(byReason(second.rejected)).toMatchObject({ duplicate: 3 })
    const third = (await collection.refresh(id)).last_run
    if (!third) throw new Error('There is no run.')
    expectToAddUp(third)
    expect(byReason(third.rejected)).not.toHaveProperty('canonical')
    expect((await listed()).canonical).toBeUndefined()
    expect((await collection.addresses())['/care?lang=en']?.fragments).toBe(1)
  })

  it('report no removal if a page is indexed because its canonical address is missing', async () => {
    site = await startSite({ '/': page('Lamps', { links: ['/desk', '/care'] }), '/desk': page('Desk') })
    const id = await collection.add({ type: 'domain', url: site.origin })
    site.set('/desk', page('Desk', { head: '<link rel="canonical" href="/new-desk">' }))
    const { last_run: run } = await collection.refresh(id)
    if (!run) throw new Error('There is no run.')
    expectToAddUp(run)
    expect((await collection.addresses())['/desk']).toMatchObject({ reason: null, fragments: 1 })
    expect(run).toMatchObject({ checked: 4, withdrawn: 0, failed: 2, canonicalized: 0, withdrawals: [] })
  })

  it("name what is skipped when the month's crawls are used up", async () => {
    const { db } = collection.test.app
    await db.write((tx) => tx.update(organizations).set({ plan: 'free' }).where(eq(organizations.id, collection.orgId)))
    const now = new Date()
    const month = { organizationId: collection.orgId, year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 }
    await db.write((tx) => tx.insert(usage).values({ ...month, crawls: initialPlans.free.crawls - 5 }))
    const run = await reportOf(await start())
    expectToAddUp(run)
    expect(run.checked).toBe(5)
    const { 'crawl-limit': unread = 0 } = await listed()
    expect(unread).toBeGreaterThan(0)
    expect(byReason(run.skipped)).toEqual({ excluded: 1, 'crawl-limit': unread })
  })

  it('cover one address if only that one is retried', async () => {
    site = await startSite({ '/': page('Lamps', { links: ['/desk', '/storm'] }), '/desk': page('Desk') })
    const id = await collection.add({ type: 'domain', url: site.origin, max_pages: 2 })
    expect(await reportOf(id)).toMatchObject({ checked: 2, ignored: 1 })
    const { '/desk': desk } = await collection.addresses()
    await collection.test.app.services.addresses.retry(system, addressRef(collection, desk?.id))
    await collection.test.runner.idle()
    expect(runSentence(await reportOf(id))).toBe('1 checked, 1 unchanged')
    expect(await collection.source(id)).toMatchObject({ status: 'url-limit', reason: 'over-limit' })
  })

  it('add up if a pattern excludes pages', async () => {
    const id = await start()
    const { orgId, collectionId, test } = collection
    await test.app.services.sources.edit(
      system,
      { organizationId: orgId, collectionId, sourceId: id },
      { name: 'Lamps', exclude: ['/drafts/**', '/guide'] },
    )
    const { last_run: run } = await collection.refresh(id)
    if (!run) throw new Error('There is no run.')
    expectToAddUp(run)
    expect(run).toMatchObject({ checked: 12, withdrawn: 1 })
    expect(byReason(run.withdrawals)).toEqual({ excluded: 1 })
  })
})

it('an ordinary refresh reports only what it did', async () => {
  site = await startSite({
    '/': page('Lamps', { links: ['/desk', '/storm'] }),
    '/desk': page('Desk'),
    '/storm': page('Storm'),
  })
  const id = await collection.add({ type: 'domain', url: site.origin })
  site.set('/desk', page('Desk, again'))
  const { last_run: run } = await collection.refresh(id)
  expect(run && runSentence({ ...run, embedded: 9 })).toBe('3 checked, 2 unchanged, 1 changed, 9 fragments indexed')
  expect(run).toMatchObject({ rejected: [], withdrawals: [], skipped: [] })
})
