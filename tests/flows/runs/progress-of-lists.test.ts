import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addresses, fragments, visits } from '../../../db/schema/addresses'
import { runs, sources } from '../../../db/schema/collections'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import { type Outcome, openVisits } from '../../../server/services/runs/visits'
import { openTestApp } from '../../support/app'

let app: App
let organizationId = ''
let collectionId = ''

beforeAll(async () => {
  // Nobody runs the jobs, so a new source stays in its first run.
  app = (await openTestApp()).app
  organizationId = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  collectionId = await newCollection('Pages')
})
afterAll(() => app.close())

async function newCollection(name: string): Promise<string> {
  return (await app.services.collections.create(system, organizationId, { name, description: '' })).id
}

async function addSource(url: string): Promise<string> {
  const place = { organizationId, collectionId }
  return (await app.services.sources.create(system, place, { type: 'domain', name: '', url })).id
}

/** Addresses that the run of the source visits; null for an open visit. */
async function addAddresses(sourceId: string, outcomes: (Outcome | null)[]) {
  const [run] = await app.db.read.select().from(runs).where(eq(runs.sourceId, sourceId))
  const rows = outcomes.map((_, n) => ({ url: `https://${sourceId}.example/${n}`, status: 'new' as const }))
  return app.db.write(async (tx) => {
    const added = await tx
      .insert(addresses)
      .values(rows.map((row) => ({ ...row, organizationId, collectionId, sourceId })))
      .returning()
    await openVisits(tx, run?.id ?? '', added)
    for (const [index, outcome] of outcomes.entries()) {
      await tx
        .update(visits)
        .set({ outcome })
        .where(eq(visits.addressId, added[index]?.id ?? ''))
    }
    return added
  })
}

const crawls = async () => (await app.services.overview.get(system, organizationId)).crawls.map(({ name }) => name)
const progress = () => app.services.sources.runProgress(system, organizationId, [collectionId])

it('counts what the runs of a collection have read, without a paused run', async () => {
  expect(await progress()).toEqual({})
  const first = await addSource('one.example')
  expect(await progress()).toEqual({ [collectionId]: { done: 0, total: 0 } })
  await addAddresses(first, ['new', 'failed', null, null, null])
  const second = await addSource('two.example')
  await addAddresses(second, ['new'])
  expect(await progress()).toEqual({ [collectionId]: { done: 3, total: 6 } })
  expect(await app.services.sources.runProgress(system, organizationId, [await newCollection('Other')])).toEqual({})

  await app.db.write((tx) => tx.update(sources).set({ pausedAt: new Date() }).where(eq(sources.id, first)))
  expect(await progress()).toEqual({ [collectionId]: { done: 1, total: 1 } })
})

it('lists a source on the dashboard until it is read and indexed', async () => {
  const sourceId = await addSource('three.example')
  const [address] = await addAddresses(sourceId, ['new'])
  expect(await crawls()).toContain('three.example')
  await app.db.write((tx) => tx.update(sources).set({ status: 'idle' }).where(eq(sources.id, sourceId)))
  expect(await crawls()).not.toContain('three.example')

  const place = { organizationId, collectionId, sourceId, addressId: address?.id ?? '' }
  const text = { title: 'Storm', headings: '', text: 'Storm 40', hash: 'h', tokens: 2 }
  await app.db.write((tx) => tx.insert(fragments).values({ ...place, ...text, ordinal: 0 }))
  expect(await crawls()).toContain('three.example')
  await app.db.write((tx) => tx.update(fragments).set({ vectorModel: 'tiny' }).where(eq(fragments.sourceId, sourceId)))
  expect(await crawls()).not.toContain('three.example')
})
