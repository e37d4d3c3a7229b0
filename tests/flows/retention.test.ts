import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceSchema } from '../../contract/sources/source'
import { auditEvents } from '../../db/schema/audit'
import { runs } from '../../db/schema/collections'
import { jobs } from '../../db/schema/jobs'
import { messages, threads } from '../../db/schema/threads'
import { system } from '../../server/actor'
import { createTestApp, type TestApp } from '../support/app'

const dayMs = 24 * 3_600_000
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
const signal = new AbortController().signal

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const organizationOf = async (name: string) =>
  (await test.app.services.organizations.create(system, { name, entity_name: '' })).id

const visitor = {
  metaOrigin: 'https://shop.example',
  metaIp: '203.0.113.7',
  metaUserAgent: 'Browser',
  externalUserId: '4711',
  externalUserEmail: 'ada@example.com',
  externalSessionId: 's1',
}

/** Adds a thread that began `began` days ago and got its last message `last` days ago. */
async function talk(organizationId: string, began: number, last = began): Promise<string> {
  const id = crypto.randomUUID()
  await test.app.db.write(async (tx) => {
    await tx.insert(threads).values({ id, organizationId, title: 'Which lamp?', createdAt: daysAgo(began), ...visitor })
    for (const days of [began, last])
      await tx
        .insert(messages)
        .values({ threadId: id, role: 'user', content: 'Which lamp?', status: 1, createdAt: daysAgo(days) })
  })
  return id
}

async function idsOf(organizationId: string): Promise<string[]> {
  const ofOrganization = eq(threads.organizationId, organizationId)
  return (await test.app.db.read.select({ id: threads.id }).from(threads).where(ofOrganization)).map(({ id }) => id)
}

const sweep = () => test.app.services.retention.sweep(signal, now)
const eventsOf = (organizationId: string) => test.app.services.audit.list(system, organizationId)

it('keeps everything for ever by default, except the audit log', async () => {
  const id = await organizationOf('For ever')
  const old = await talk(id, 3_000)
  await test.app.services.organizations.update(system, id, { name: 'Old' })
  await test.app.services.organizations.update(system, id, { name: 'Recent' })
  const [recent, first] = await eventsOf(id)
  for (const [event, days] of [
    [recent, 89],
    [first, 91],
  ] as const)
    await test.app.db.write((tx) =>
      tx
        .update(auditEvents)
        .set({ createdAt: daysAgo(days) })
        .where(eq(auditEvents.id, Number(event?.id))),
    )
  expect(await sweep()).toEqual({ threads: 0, visitors: 0, runs: 0, events: 1, jobs: 0 })
  expect(await idsOf(id)).toEqual([old])
  expect((await eventsOf(id)).map(({ action, subject }) => [action, subject.name])).toEqual([
    ['retention.applied', 'Recent'],
    ['organization.edited', 'Recent'],
  ])
})

it('deletes threads whose last message is too old, of this organization alone, and says how many', async () => {
  const [id, neighbour] = [await organizationOf('Thirty days'), await organizationOf('Neighbour')]
  await test.app.services.organizations.update(system, id, { thread_days: 30 })
  const kept = [await talk(id, 29), await talk(id, 400, 2)]
  for (let n = 0; n < 45; n++) await talk(id, 31 + n)
  const foreign = await talk(neighbour, 500)
  expect((await sweep()).threads).toBe(45)
  expect((await idsOf(id)).sort()).toEqual(kept.sort())
  expect(await idsOf(neighbour)).toEqual([foreign])
  const [event] = await eventsOf(id)
  expect(event).toMatchObject({
    action: 'retention.applied',
    actor: { kind: 'schedule', user_id: null, email: null },
    changes: [{ field: 'threads', to: '45' }],
  })
  expect(await sweep()).toMatchObject({ threads: 0 })
  expect(await eventsOf(id)).toHaveLength(2)
})

it('removes what is known of the visitors of old threads, and keeps the threads', async () => {
  const id = await organizationOf('Forgets visitors')
  await test.app.services.organizations.update(system, id, { visitor_data_days: 7 })
  const [old, recent] = [await talk(id, 8), await talk(id, 6)]
  expect((await sweep()).visitors).toBe(1)
  const rows = await test.app.db.read.select().from(threads).where(eq(threads.organizationId, id))
  const nothing = Object.fromEntries(Object.keys(visitor).map((name) => [name, null]))
  expect(rows.find((row) => row.id === old)).toMatchObject(nothing)
  expect(rows.find((row) => row.id === recent)).toMatchObject(visitor)
  expect((await sweep()).visitors).toBe(0)
})

it('deletes the reports of old crawls, except the last of each source', async () => {
  const { services, db } = test.app
  const id = await organizationOf('Crawls')
  await services.organizations.update(system, id, { run_days: 14 })
  const collection = await services.collections.create(system, id, { name: 'Lamps', description: '' })
  const source = await services.sources.create(
    system,
    { organizationId: id, collectionId: collection.id },
    sourceSchema.parse({ type: 'url', url: 'https://shop.example/' }),
  )
  await db.write((tx) => tx.delete(runs).where(eq(runs.sourceId, source.id)))
  const add = async (days: number, kind: 'full' | 'address') => {
    const row = {
      id: `${kind} ${days}`,
      sourceId: source.id,
      kind,
      startedAt: daysAgo(days),
      finishedAt: daysAgo(days),
    }
    await db.write((tx) => tx.insert(runs).values(row as typeof runs.$inferInsert))
  }
  for (const days of [60, 40, 20]) await add(days, 'full')
  for (const days of [50, 16]) await add(days, 'address')
  expect((await sweep()).runs).toBe(3)
  const kept = await db.read.select({ id: runs.id }).from(runs).where(eq(runs.sourceId, source.id))
  expect(kept.map((run) => run.id).sort()).toEqual(['address 16', 'full 20'])
})

it('deletes jobs that failed for good 90 days ago', async () => {
  const job = (days: number) => ({
    kind: 'purge-source',
    payload: {},
    status: 'failed' as const,
    createdAt: daysAgo(days),
  })
  await test.app.db.write((tx) => tx.insert(jobs).values([job(89), job(91)]))
  expect((await sweep()).jobs).toBe(1)
})

it('sweeps once a night, and again after an interruption', async () => {
  const id = await organizationOf('Nightly')
  await test.app.services.organizations.update(system, id, { thread_days: 1 })
  const { runDue } = test.app.services.retention
  const nightOf = (day: number, hour: number) => new Date(2031, 0, day, hour)
  const left = async () => (await idsOf(id)).length
  await talk(id, 10)
  await runDue(AbortSignal.abort(), nightOf(10, 4))
  expect(await left()).toBe(1)
  await runDue(signal, nightOf(10, 4))
  expect(await left()).toBe(0)
  await talk(id, 10)
  for (const [day, hour] of [
    [10, 23],
    [11, 2],
  ] as const)
    await runDue(signal, nightOf(day, hour))
  expect(await left()).toBe(1)
  await runDue(signal, nightOf(11, 3))
  expect(await left()).toBe(0)
})
