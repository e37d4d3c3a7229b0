import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../../../db/database'
import { openTestApp } from '../../../tests/support/app'
import { createPerson } from '../../../tests/support/people/people'
import { type Actor, system } from '../../actor'
import type { App } from '../../app'
import { usedInMonth } from '../usage/quota'
import { createMonthlyLimits, type MonthlyLimits } from './monthly-limits'

let app: App
let db: Database
let organizationId: string
let limits: MonthlyLimits
let ada: Actor
let grace: Actor
let now: number

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  now = 1_000_000
  // The cache has its own reference to this object, so a fake one would not reach it.
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  app = (await openTestApp()).app
  db = app.db
  organizationId = (await app.services.organizations.create(system, { name: 'Lamps', entity_name: '' })).id
  const { organizations, useCounters } = app.services
  limits = createMonthlyLimits({ db, organizations, useCounters })
  ada = await createPerson(app, { [organizationId]: 'viewer' })
  grace = await createPerson(app, { [organizationId]: 'viewer' })
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

const search = (actor: Actor, key: string | null, work = async () => 'found') =>
  limits.count(actor, organizationId, 'searches', work, { repeatKey: key })
function pass(seconds: number): void {
  now += seconds * 1_000
  vi.advanceTimersByTime(seconds * 1_000)
}
async function used(): Promise<number> {
  await app.services.useCounters.write()
  return usedInMonth(db.read, organizationId, 'searches', new Date())
}

it('counts a search that a page repeats once, until a minute passes without it', async () => {
  for (const seconds of [0, 50, 50]) {
    pass(seconds)
    expect(await search(ada, 'lamp')).toBe('found')
  }
  expect(await used()).toBe(1)
  pass(61)
  await search(ada, 'lamp')
  expect(await used()).toBe(2)
})

it('counts the searches of other people, with other words, and without a page', async () => {
  for (const [actor, key] of [
    [ada, 'lamp'],
    [grace, 'lamp'],
    [ada, 'wick'],
    [ada, null],
    [ada, null],
  ] as const)
    await search(actor, key)
  expect(await used()).toBe(5)
})

it('counts no search that fails, and the next one with the same key', async () => {
  const failing = () => Promise.reject(new Error('The index is away.'))
  await expect(search(ada, 'lamp', failing)).rejects.toThrow('The index is away.')
  expect(await used()).toBe(0)
  await search(ada, 'lamp')
  expect(await used()).toBe(1)
})
