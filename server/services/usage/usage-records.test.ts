import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UsageRecord } from '../../../contract/views/organizations/organization'
import type { Database } from '../../../db/database'
import { collections } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { threads } from '../../../db/schema/threads'
import { openTestDatabase } from '../../../tests/support/database/database'
import { addUse } from './quota'
import { createUsageRecords, usageRecordsOf } from './usage-records'

let db: Database
const december = new Date('2025-12-31T23:30:00.000Z')
const january = new Date('2026-01-01T00:30:00.000Z')
const nothing: Omit<UsageRecord, 'year' | 'month'> = {
  collections: 0,
  sources: 0,
  urls: 0,
  crawls: 0,
  agents: 0,
  threads: 0,
  messages: 0,
  searches: 0,
  api_requests: 0,
  storage: 0,
  embedding_tokens: 0,
}

beforeEach(async () => {
  db = (await openTestDatabase()).database
  const rows = ['o1', 'o2'].map((id) => ({ id, name: id, entityName: '', plan: 'free' }))
  await db.write((tx) => tx.insert(organizations).values(rows))
  await db.write((tx) => tx.insert(collections).values({ organizationId: 'o1', name: 'Docs' }))
  await db.write((tx) => tx.insert(threads).values([1, 2].map(() => ({ organizationId: 'o1', title: 'Asked' }))))
})
afterEach(() => db.close())

it('keeps what an organization contained and used in each month, newest first', async () => {
  const { record } = createUsageRecords({ db })
  await record(new Date('2025-12-01T00:00:00.000Z'))
  await db.write((tx) => addUse(tx, 'o1', 'crawls', 7, december))
  await db.write((tx) => addUse(tx, 'o1', 'apiRequests', 3, december))
  await db.write((tx) => addUse(tx, 'o1', 'embeddingTokens', 900, december))
  await db.write((tx) => tx.insert(threads).values({ organizationId: 'o1', title: 'Asked' }))
  await record(december)

  // What is deleted in January does not change December.
  await db.write((tx) => tx.delete(threads))
  await db.write((tx) => addUse(tx, 'o1', 'messages', 2, january))
  await record(january)
  expect(await usageRecordsOf(db.read, 'o1', january)).toEqual([
    { ...nothing, year: 2026, month: 1, collections: 1, messages: 2 },
    {
      ...nothing,
      year: 2025,
      month: 12,
      collections: 1,
      threads: 3,
      crawls: 7,
      api_requests: 3,
      embedding_tokens: 900,
    },
  ])
  const [first, ...others] = await usageRecordsOf(db.read, 'o2', january)
  expect(first).toEqual({ ...nothing, year: 2026, month: 1 })
  expect(others).toEqual([{ ...nothing, year: 2025, month: 12 }])
})

it('shows the current month as it is now, also if nothing was recorded', async () => {
  expect(await usageRecordsOf(db.read, 'o1', january)).toEqual([
    { ...nothing, year: 2026, month: 1, collections: 1, threads: 2 },
  ])
  await createUsageRecords({ db }).record(january)
  await db.write((tx) => tx.delete(threads))
  expect(await usageRecordsOf(db.read, 'o1', january)).toMatchObject([{ threads: 0 }])
  expect(await usageRecordsOf(db.read, 'o1', december)).toMatchObject([{ year: 2025, month: 12 }])
})

it('lists no month of a new organization until it uses something', async () => {
  const months = async (time: Date) => (await usageRecordsOf(db.read, 'o2', time)).map(({ month }) => month)
  expect(await months(december)).toEqual([])
  await createUsageRecords({ db }).record(december)
  expect(await months(december)).toEqual([])
  expect(await months(january)).toEqual([1, 12])
  await db.write((tx) => addUse(tx, 'o2', 'searches', 1, december))
  expect(await months(december)).toEqual([12])
})

it('records nothing for deleted organizations', async () => {
  await db.write((tx) => tx.update(organizations).set({ deletedAt: december }))
  await createUsageRecords({ db }).record(december)
  expect(await usageRecordsOf(db.read, 'o1', january)).toHaveLength(1)
})
