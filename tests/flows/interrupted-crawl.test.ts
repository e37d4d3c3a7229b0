import { expect, it } from 'vitest'
import type { Database } from '../../db/database'
import { system } from '../../server/actor'
import { createSealer } from '../../server/sealing'
import type { BoilerplateService } from '../../server/services/crawling/boilerplate/boilerplate'
import { createFrontier } from '../../server/services/crawling/frontier/frontier'
import { createCrawls } from '../../server/services/crawling/runs/execute-run'
import type { Indexes } from '../../server/services/fragments/fragments'
import { openTestApp } from '../support/app'

it('a crawl that is interrupted between two writes knows what the page led to, or reads the page again', async () => {
  const { app } = await openTestApp()
  try {
    const { id: orgId } = await app.organizations.create(system, { name: 'Fennel', entity_name: '' })
    const { id: collectionId } = await app.collections.create(system, orgId, { name: 'Pages', description: '' })
    const input = { type: 'domain' as const, name: '', url: 'http://127.0.0.1:9/' }
    const { id } = await app.sources.create(system, orgId, collectionId, input)
    const found = await app.crawls.resume(
      id,
      (await app.sources.get(system, orgId, collectionId, id)).last_run?.id ?? '',
    )
    if (!found) throw new Error('There is no run.')
    const work = found
    let stepsLeft = 1
    const db: Database = {
      ...app.db,
      write: (step) => (stepsLeft-- > 0 ? app.db.write(step) : Promise.reject(new Error('Cut off.'))),
    }
    // A redirect has no fragments, so the indexes have nothing to do.
    const { organizations } = app
    const sealer = createSealer([Buffer.alloc(32)])
    const frontier = createFrontier({ db, indexes: {} as Indexes, organizations })
    const crawls = createCrawls({ db, indexes: {} as Indexes, frontier, boilerplate: {} as BoilerplateService, sealer })
    await app.crawls.list(work, [{ url: `${input.url}a`, depth: 0, discoveredFrom: input.url }])
    const [address] = await claimed(1)
    if (!address) throw new Error('There is no address.')
    const moved = { reason: 'redirected' as const, address: `${input.url}b`, httpStatus: 301 }
    await expect(
      crawls.storeElsewhere(work, address, moved, [{ url: `${input.url}b`, depth: 1, discoveredFrom: address.url }]),
    ).rejects.toThrow('Cut off.')
    await app.crawls.release(work)
    expect((await claimed(5)).map(({ url }) => new URL(url).pathname)).toEqual(['/a', '/b'])

    async function claimed(many: number) {
      const rows = await app.crawls.claim(work, many)
      return rows === 'used-up' ? [] : rows
    }
  } finally {
    await app.close()
  }
})
