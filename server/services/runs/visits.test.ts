import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { addresses, visits } from '../../../db/schema/addresses'
import { openTestApp } from '../../../tests/support/app'
import { system } from '../../actor'
import type { App } from '../../app'
import { openVisits } from './visits'

let app: App
afterEach(() => app.close())

it('opens visits of more addresses than one statement has variables for', async () => {
  app = (await openTestApp()).app
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
  const named = { name: 'Pages', description: '' }
  const { id: collectionId } = await app.services.collections.create(system, organizationId, named)
  const place = { organizationId, collectionId }
  const input = { type: 'domain' as const, name: '', url: 'http://127.0.0.1:9/' }
  const { id: sourceId, last_run: run } = await app.services.sources.create(system, place, input)
  const count = 6_000
  for (let start = 0; start < count; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => ({ url: `http://127.0.0.1:9/${start + index}` }))
    const values = rows.map((row) => ({ ...row, ...place, sourceId, status: 'idle' as const }))
    await app.db.write((tx) => tx.insert(addresses).values(values))
  }
  const all = await app.db.read.select().from(addresses).where(eq(addresses.sourceId, sourceId))
  await app.db.write((tx) => openVisits(tx, run?.id ?? '', all))
  expect(await app.db.read.$count(visits, eq(visits.sourceId, sourceId))).toBe(count)
})
