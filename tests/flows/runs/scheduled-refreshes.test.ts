import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { system } from '../../../server/actor'
import { addressRef } from '../../support/refs'
import { crawledSite } from '../../support/sites/crawled-site'

// When a source is refreshed on schedule.

const { collection, site, open } = crawledSite()
beforeEach(async () => {
  await open({ '/': '<title>Lamps</title><main><h1>Lamps</h1><p>All of our lamps.</p></main>' })
})

const place = (id: string) =>
  [system, { organizationId: collection.orgId, collectionId: collection.collectionId, sourceId: id }] as const

it('discovery does not change the scheduled refresh, even if it is paused', async () => {
  const { runControl } = collection.test.app.services
  const id = await collection.add({ type: 'domain', url: site.origin, refresh_interval: 'weekly' })
  const planned = (await collection.source(id)).refresh_due_at
  expect(planned).not.toBeNull()
  const lookOnly = () => runControl.refresh(...place(id), { crawl: false, auto: false }, { waitMs: 0 })
  await lookOnly()
  await collection.test.runner.idle()
  expect(await collection.source(id)).toMatchObject({ last_run: { kind: 'discover' }, refresh_due_at: planned })

  await collection.test.runner.stop()
  await lookOnly()
  await runControl.pause(...place(id))
  await runControl.resume(...place(id))
  expect((await collection.source(id)).refresh_due_at).toBe(planned)
})

it('shows for each address when it was fetched and when it is due, unless it is excluded', async () => {
  const { addresses, runControl, sources } = collection.test.app.services
  const page = (text: string, links = '') => `<title>${text}</title><main><p>All about ${text}.</p>${links}</main>`
  const links = ['/a', '/b', '/c', '/d'].map((path) => `<a href="${path}">${path}</a>`).join(' ')
  site.set('/', page('Lamps', links))
  for (const path of ['/a', '/b', '/c']) site.set(path, page(path))
  const id = await collection.add({ type: 'domain', url: site.origin, exclude: ['/b'] })
  const ignored = (await collection.addresses())['/c']?.id ?? ''
  await addresses.ignore(system, addressRef(collection, ignored))
  const planned = (await collection.source(id)).refresh_due_at
  expect(planned).not.toBeNull()
  const known = await collection.addresses()
  const { '/': front, '/a': inside, '/b': excluded, '/c': left, '/d': missing } = known
  for (const address of [front, inside]) {
    expect(address).toMatchObject({ next_fetch_at: planned, changed_at: expect.any(String) })
    expect(Date.now() - Date.parse(address?.fetched_at ?? '')).toBeLessThan(60_000)
  }
  expect(missing).toMatchObject({ reason: 'not-found', next_fetch_at: planned, fetched_at: null })
  for (const address of [excluded, left]) expect(address?.next_fetch_at).toBeNull()
  const { address } = await addresses.get(system, addressRef(collection, inside?.id), {
    page: 1,
    limit: 1,
  })
  expect(address).toEqual(inside)

  // A later look that finds no change leaves the time of fetching.
  await collection.refresh(id)
  const again = (await collection.addresses())['/a']
  expect(again).toMatchObject({ fetched_at: inside?.fetched_at, http_status: 304 })
  expect(again?.next_fetch_at).toBe((await collection.source(id)).refresh_due_at)

  await collection.test.runner.stop()
  await runControl.refresh(...place(id), { crawl: false, auto: false }, { waitMs: 0 })
  await runControl.pause(...place(id))
  expect((await collection.addresses())['/a']?.next_fetch_at).toBeNull()
  await sources.edit(...place(id), { refresh_interval: 'never' })
  expect((await collection.addresses())['/a']?.next_fetch_at).toBeNull()
})

describe("the month's crawls are used up", () => {
  const nextMonth = () => {
    const now = new Date()
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  }

  async function useUpCrawls(): Promise<void> {
    const now = new Date()
    const used = `insert into usage (organization_id, year, month, crawls)
      values ('${collection.orgId}', ${now.getUTCFullYear()}, ${now.getUTCMonth() + 1}, 1000000)
      on conflict (organization_id, year, month) do update set crawls = 1000000`
    await collection.test.app.db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'free'`)))
    await collection.test.app.db.write((tx) => tx.execute(sql.raw(used)))
  }

  it('sources without a schedule stay unscheduled; others are refreshed next month', async () => {
    const never = await collection.add({ type: 'url', url: `${site.origin}/`, refresh_interval: 'never' })
    const weekly = await collection.add({ type: 'domain', url: site.origin, refresh_interval: 'weekly' })
    await useUpCrawls()
    expect((await collection.refresh(never)).status).toBe('crawl-limit')
    expect((await collection.source(never)).refresh_due_at).toBeNull()
    const due = Date.parse((await collection.refresh(weekly)).refresh_due_at ?? '')
    expect(due).toBeGreaterThan(nextMonth())
    expect(due).toBeLessThanOrEqual(nextMonth() + 0.7 * 24 * 3_600_000)
  })
})
