import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { addressStatuses, sourceStatuses } from '../../../contract/values/enumerations'
import { engine } from '../../../db/engine'
import { system } from '../../../server/actor'
import { sourceTransitions, type Transition, visitTransitions } from '../../../server/services/runs/transitions'
import { drawStates } from '../../support/draw-states'
import { addressRef } from '../../support/refs'
import { type CrawledCollection, createCollection } from '../../support/sites/crawl'
import { lampSite, type Site } from '../../support/sites/site'

let site: Site | undefined
let collection: CrawledCollection | undefined
afterEach(async () => {
  await collection?.test.close()
  await site?.close()
})

it('the documentation draws the tables', async () => {
  await expect(drawStates()).toMatchFileSnapshot('../../../docs/states.md')
})

it('the tables name exactly the statuses of the contract', () => {
  const named = (table: Record<string, Transition<string>>) =>
    [...new Set(Object.values(table).flatMap(({ from, to }) => [...from, to]))].sort()
  // A source is never new on the wire: it starts to work as soon as it is added.
  expect(named(sourceTransitions)).toEqual([...sourceStatuses].sort())
  // Without a visit, an address is new or over a limit.
  expect([...named(visitTransitions), 'limit', 'new'].sort()).toEqual([...addressStatuses].sort())
})

it.runIf(engine === 'sqlite')('writes only statuses that a transition of the tables allows', async () => {
  site = await lampSite({ '/busy': { status: 503 } })
  collection = await createCollection()
  const { app, runner } = collection.test
  const { orgId, collectionId } = collection
  await watch('sources')
  await watch('visits')

  const id = await collection.add({ type: 'domain', url: site.origin, max_pages: 12 })
  const place = [system, { organizationId: orgId, collectionId, sourceId: id }] as const
  site.set('/returns', { status: 410 })
  site.set('/warranty', { status: 404 })
  await collection.refresh(id)
  await app.services.sources.edit(...place, { exclude: ['/help'], max_pages: 30 })
  await collection.refresh(id)
  const [first] = Object.values(await collection.addresses()).filter(
    ({ status, fragments }) => status === 'idle' && fragments > 0,
  )
  await app.services.addresses.ignore(system, addressRef({ orgId, collectionId }, first?.id))
  await app.services.addresses.retry(system, addressRef({ orgId, collectionId }, first?.id))
  await runner.idle()
  await app.services.runControl.refresh(...place, { crawl: false, auto: false }, { waitMs: 0 })
  await runner.idle()
  await app.services.runControl.refresh(...place, { crawl: true, auto: false }, { waitMs: 0 })
  await app.services.runControl.pause(...place)
  await runner.idle()
  await app.services.runControl.resume(...place)
  await runner.idle()
  await app.services.runControl.refresh(...place, { crawl: true, auto: false }, { waitMs: 0 })
  await app.services.runControl.pause(...place)
  await runner.idle()
  await app.services.runControl.cancel(...place)
  await runner.idle()

  expect(await unknown('sources', sourceTransitions)).toEqual([])
  expect(await unknown('visits', visitTransitions)).toEqual([])
  expect((await seen('visits')).length).toBeGreaterThan(3)
  expect((await seen('sources')).length).toBeGreaterThan(5)
})

/** The status that an address shows, by a row of visits. */
const shown = (row: 'old' | 'new') =>
  `(case when ${row}.outcome in ('failed', 'withdrawn') then 'fail' when ${row}.outcome is not null then 'idle' when ${row}.claimed_at is null then 'pending' else 'crawling' end)`

/** Records every status change that reaches the table. */
async function watch(table: 'sources' | 'visits'): Promise<void> {
  const status = (row: 'old' | 'new') => (table === 'sources' ? `${row}.status` : shown(row))
  // A visit that ends without a claim excludes its address.
  const born = table === 'sources' ? '' : 'when new.outcome is null'
  await collection?.test.app.db.write(async (tx) => {
    await tx.execute(sql.raw(`create table if not exists seen (name text, was text, now text)`))
    const note = `insert into seen values ('${table}',`
    await tx.execute(
      sql.raw(`create trigger ${table}_born after insert on ${table} ${born} begin ${note} '', ${status('new')}); end`),
    )
    const changed = `after update on ${table} when ${status('old')} <> ${status('new')}`
    await tx.execute(
      sql.raw(`create trigger ${table}_moved ${changed} begin ${note} ${status('old')}, ${status('new')}); end`),
    )
  })
}

async function seen(table: string): Promise<{ was: string; now: string }[]> {
  const rows = await collection?.test.app.db.read.execute<{ was: string; now: string }>(
    sql.raw(`select distinct was, now from seen where name = '${table}'`),
  )
  return rows ?? []
}

async function unknown(table: string, transitions: Record<string, Transition<string>>): Promise<string[]> {
  const known = Object.values(transitions).flatMap(({ from, to }) =>
    (from.length === 0 ? [''] : from).map((state) => `${state} > ${to}`),
  )
  return (await seen(table)).map(({ was, now }) => `${was} > ${now}`).filter((change) => !known.includes(change))
}
