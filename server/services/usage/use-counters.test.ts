import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../db/database'
import { organizations } from '../../../db/schema/organizations'
import { visitorUsage } from '../../../db/schema/usage'
import { openTestApp } from '../../../tests/support/app'
import { system } from '../../actor'
import type { App } from '../../app'
import { usedInMonth } from './quota'
import { createUseCounters, type Use, type UseCounters } from './use-counters'

let app: App
let db: Database
let organizationId: string
let counters: UseCounters

beforeEach(async () => {
  app = (await openTestApp()).app
  db = app.db
  organizationId = (await app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })).id
  counters = createUseCounters({ db })
})
afterEach(() => app.close())

const use = (limit: number, isByVisitor = false): Use => {
  return { organizationId, meter: 'searches', limit, at: new Date(), isByVisitor }
}
const stored = () => usedInMonth(db.read, organizationId, 'searches')
async function takeMany(from: UseCounters[], count: number, taken: Use): Promise<Record<string, number>> {
  const results = await Promise.all(Array.from({ length: count }, (_, n) => from[n % from.length]?.take(taken)))
  const counts: Record<string, number> = {}
  for (const result of results) counts[result ?? ''] = (counts[result ?? ''] ?? 0) + 1
  return counts
}

describe('use counters', () => {
  it('write the uses of an unlimited plan once a second', async () => {
    const writes = vi.spyOn(db, 'write')
    expect(await takeMany([counters], 80, use(0))).toEqual({ counted: 80 })
    expect(await stored()).toBe(0)
    await vi.waitUntil(async () => (await stored()) === 80, { timeout: 5_000 })
    expect(writes).toHaveBeenCalledTimes(1)
  })

  it('write the uses of a limited plan in few transactions, and give back what is unused', async () => {
    const writes = vi.spyOn(db, 'write')
    expect(await takeMany([counters], 120, use(10_000))).toEqual({ counted: 120 })
    await counters.write()
    expect(await stored()).toBe(120)
    expect(writes.mock.calls.length).toBeLessThanOrEqual(4)
  })

  it('grant no more than the plan to two processes, and no less', async () => {
    const second = createUseCounters({ db })
    const limited = use(560)
    expect(await takeMany([counters, second], 600, limited)).toEqual({ counted: 560, 'limit-reached': 40 })
    await counters.write()
    await second.write()
    expect(await stored()).toBe(560)
  })

  it('never grant more after a process has died', async () => {
    const limited = use(700)
    for (let process = 0; process < 20; process++) await createUseCounters({ db }).take(limited)
    const { counted = 0 } = await takeMany([counters], 800, limited)
    expect(counted).toBeLessThanOrEqual(680)
    await counters.write()
    expect(await stored()).toBe(700)
  })

  it('give back the stock that arrives during a write', async () => {
    const taken = counters.take(use(10_000))
    await counters.write()
    await taken
    await vi.waitUntil(async () => (await stored()) === 1, { timeout: 5_000 })
  })

  it('count what was used under another plan', async () => {
    await takeMany([counters], 3, use(0))
    await takeMany([counters], 3, use(10_000))
    expect(await takeMany([counters], 3, use(7))).toEqual({ counted: 1, 'limit-reached': 2 })
  })

  it('take back a use', async () => {
    for (const limit of [0, 100, 10_000]) {
      await counters.take(use(limit))
      counters.refund(use(limit))
      await counters.write()
      expect(await stored()).toBe(0)
    }
  })

  it("keep to the visitors' share of a day", async () => {
    await db.write(async (tx) => {
      await tx.update(organizations).set({ visitorDailyShare: 10 }).where(eq(organizations.id, organizationId))
    })
    const byVisitor = use(6_000, true)
    expect(await takeMany([counters], 650, byVisitor)).toEqual({ counted: 600, 'share-used-up': 50 })
    expect(await takeMany([counters], 5, use(6_000))).toEqual({ counted: 5 })
    await counters.write()
    expect(await stored()).toBe(605)
    counters.refund(byVisitor)
    await counters.write()
    expect(await stored()).toBe(604)
    const [row] = await db.read.select().from(visitorUsage).where(eq(visitorUsage.organizationId, organizationId))
    expect(row?.searches).toBe(599)
  })
})
