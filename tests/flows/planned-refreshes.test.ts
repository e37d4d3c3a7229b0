import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { system } from '../../server/actor'
import { type CrawledCollection, createCollection } from '../support/crawl'
import { type Site, startSite } from '../support/site'

// When a source is read again by itself.

let site: Site
let here: CrawledCollection
beforeEach(async () => {
  here = await createCollection()
  site = await startSite({ '/': '<title>Lamps</title><main><h1>Lamps</h1><p>All of our lamps.</p></main>' })
})
afterEach(async () => {
  await here.test.close()
  await site.close()
})

const place = (id: string) => [system, here.orgId, here.collectionId, id] as const

it('a look for addresses alone leaves what is planned, also where it is held in between', async () => {
  const { refreshing } = here.test.app
  const id = await here.add({ type: 'domain', url: site.origin, refresh_interval: 'weekly' })
  const planned = (await here.source(id)).refresh_due_at
  expect(planned).not.toBeNull()
  const lookOnly = () => refreshing.refresh(...place(id), { crawl: false, auto: false }, { waitMs: 0 })
  await lookOnly()
  await here.test.runner.idle()
  expect(await here.source(id)).toMatchObject({ last_run: { kind: 'discover' }, refresh_due_at: planned })

  await here.test.runner.stop()
  await lookOnly()
  await refreshing.pause(...place(id))
  await refreshing.resume(...place(id))
  expect((await here.source(id)).refresh_due_at).toBe(planned)
})

describe("the month's crawls are used up", () => {
  const nextMonth = () => {
    const now = new Date()
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  }

  async function useUpCrawls(): Promise<void> {
    const now = new Date()
    const used = `insert into usage (organization_id, year, month, crawls)
      values ('${here.orgId}', ${now.getUTCFullYear()}, ${now.getUTCMonth() + 1}, 1000000)
      on conflict do update set crawls = 1000000`
    await here.test.app.db.write((tx) => tx.execute(sql.raw(`update organizations set plan = 'free'`)))
    await here.test.app.db.write((tx) => tx.execute(sql.raw(used)))
  }

  it('a source that is never refreshed by itself stays so, others come back some time after the month', async () => {
    const never = await here.add({ type: 'url', url: `${site.origin}/`, refresh_interval: 'never' })
    const weekly = await here.add({ type: 'domain', url: site.origin, refresh_interval: 'weekly' })
    await useUpCrawls()
    expect((await here.refresh(never)).status).toBe('crawl-limit')
    expect((await here.source(never)).refresh_due_at).toBeNull()
    const due = Date.parse((await here.refresh(weekly)).refresh_due_at ?? '')
    expect(due).toBeGreaterThan(nextMonth())
    expect(due).toBeLessThanOrEqual(nextMonth() + 0.7 * 24 * 3_600_000)
  })
})
