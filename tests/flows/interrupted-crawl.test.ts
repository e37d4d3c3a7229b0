import { expect, it } from 'vitest'
import type { Database } from '../../db/database'
import { system } from '../../server/actor'
import { createFrontier } from '../../server/services/crawling/frontier/frontier'
import { createApplyChange } from '../../server/services/crawling/pages/apply-change'
import type { Indexes } from '../../server/services/fragments/fragments'
import { loadRun } from '../../server/services/runs/run-context'
import { openTestApp } from '../support/app'

it('stores the target of a redirect before it finishes the page', async () => {
  const { app } = await openTestApp()
  try {
    const { id: orgId } = await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })
    const { id: collectionId } = await app.services.collections.create(system, orgId, {
      name: 'Pages',
      description: '',
    })
    const input = { type: 'domain' as const, name: '', url: 'http://127.0.0.1:9/' }
    const { id } = await app.services.sources.create(system, { organizationId: orgId, collectionId }, input)
    const runId =
      (await app.services.sources.get(system, { organizationId: orgId, collectionId, sourceId: id })).last_run?.id ?? ''
    const found = await loadRun(app.db.read, id, runId)
    if (!found) throw new Error('There is no run.')
    const run = found
    const { frontier } = app.services.crawling
    let stepsLeft = 1
    const db: Database = {
      ...app.db,
      write: (step) => (stepsLeft-- > 0 ? app.db.write(step) : Promise.reject(new Error('Cut off.'))),
    }
    // A redirect has no fragments, so the indexes have nothing to do.
    const interrupted = createFrontier({ db, organizations: app.services.organizations })
    const applyChange = createApplyChange({ db, indexes: {} as Indexes, frontier: interrupted })
    await frontier.enqueue(run, [{ url: `${input.url}a`, depth: 0, discoveredFrom: input.url }])
    const [address] = await claimed(1)
    if (!address) throw new Error('There is no address.')
    const target = `${input.url}b`
    const change = {
      ...{ kind: 'canonicalize' as const, reason: 'redirected' as const, target, httpStatus: 301 },
      ...{ etag: null, lastModified: null, links: [{ url: target, depth: 1, discoveredFrom: address.url }] },
    }
    await expect(applyChange(run, address, change)).rejects.toThrow('Cut off.')
    await frontier.releaseClaims(run)
    expect((await claimed(5)).map(({ url }) => new URL(url).pathname)).toEqual(['/a', '/b'])

    async function claimed(many: number) {
      const rows = await frontier.claim(run, many)
      return rows === 'out-of-crawls' ? [] : rows
    }
  } finally {
    await app.close()
  }
})
