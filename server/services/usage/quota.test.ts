import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/database'
import { organizations } from '../../../db/schema/organizations'
import { openTestDatabase } from '../../../tests/support/database/database'
import { addUse, leftInMonth, refund, reserve, usedInMonth } from './quota'

let db: Database
const january = new Date('2026-01-31T23:59:59.999Z')
const february = new Date('2026-02-01T00:00:00.000Z')

beforeEach(async () => {
  db = (await openTestDatabase()).database
  const rows = ['o1', 'o2'].map((id) => ({ id, name: id, entityName: '', plan: 'free' }))
  await db.write((tx) => tx.insert(organizations).values(rows))
})
afterEach(() => db.close())

const used = (time: Date, organization = 'o1') => usedInMonth(db.read, organization, 'messages', time)

it('counts by organization, meter and month', async () => {
  await db.write(async (tx) => {
    await addUse(tx, 'o1', 'messages', 3, january)
    await addUse(tx, 'o1', 'messages', 2, january)
    await addUse(tx, 'o1', 'crawls', 7, january)
    await addUse(tx, 'o2', 'messages', 1, february)
  })
  expect([await used(january), await used(february), await used(february, 'o2')]).toEqual([5, 0, 1])
  expect(await usedInMonth(db.read, 'o1', 'crawls', january)).toBe(7)
})

it('reserves exactly the limit for 1,000 at once', async () => {
  const asked = Array.from({ length: 1_000 }, () => db.write((tx) => reserve(tx, 'o1', 'messages', 100, january)))
  const admitted = (await Promise.all(asked)).filter(Boolean)
  expect(admitted).toHaveLength(100)
  expect(await used(january)).toBe(100)
  expect(await leftInMonth(db.read, 'o1', 'messages', 100, january)).toBe(0)
})

it('reserves single statements concurrently, each meter for itself', async () => {
  const admitted = await Promise.all(
    Array.from({ length: 60 }, () => db.writeOne((tx) => reserve(tx, 'o1', 'searches', 50, january))),
  )
  expect(admitted.filter(Boolean)).toHaveLength(50)
  expect(await db.writeOne((tx) => reserve(tx, 'o1', 'apiRequests', 1, january))).toBe(true)
  expect(await db.writeOne((tx) => reserve(tx, 'o1', 'apiRequests', 1, january))).toBe(false)
  expect(await usedInMonth(db.read, 'o1', 'searches', january)).toBe(50)
})

it('does not limit with a limit of 0', async () => {
  expect(await db.write((tx) => reserve(tx, 'o1', 'messages', 0, january))).toBe(true)
  expect(await used(january)).toBe(1)
  expect(await leftInMonth(db.read, 'o1', 'messages', 0, january)).toBe(Number.POSITIVE_INFINITY)
})

it('gives back to the month in which it was counted, and never below zero', async () => {
  await db.write((tx) => addUse(tx, 'o1', 'messages', 2, january))
  await db.write((tx) => refund(tx, 'o1', 'messages', 1, january))
  expect(await used(january)).toBe(1)
  await db.write((tx) => refund(tx, 'o1', 'messages', 5, january))
  await db.write((tx) => refund(tx, 'o1', 'messages', 5, february))
  expect([await used(january), await used(february)]).toEqual([0, 0])
})
