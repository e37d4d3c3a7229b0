import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { newDataFolder } from '../../support/database/data-folder'
import { writeTinyModel } from '../../support/embedding/tiny-model'
import { type Site, startSite } from '../../support/sites/site'

const page = `<!doctype html><html lang="en"><head><title>Lamp care</title></head><body><main><h1>Lamp care</h1>
<p>Wipe the shade of the lamp with a dry cloth, and never with soap.</p></main></body></html>`

const apps: TestApp[] = []
let site: Site
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await site.close()
})

it.runIf(engine === 'postgres')(
  'changes to a model of another width by a rebuild, while searches go on',
  { timeout: 120_000 },
  async () => {
    const dataDir = await newDataFolder()
    site = await startSite({ '/': { body: page } })
    const start = async (dimensions: number) => {
      const files = { 'config.json': { model_type: 'bert', max_position_embeddings: 512, hidden_size: dimensions } }
      const folder = writeTinyModel(join(dataDir, 'models', `tiny-${dimensions}`), { dimensions, files })
      const app = await createTestApp({ DATA_DIR: dataDir, EMBEDDING_MODEL: folder }, { embedder: undefined })
      apps.push(app)
      await app.app.startEmbedding()
      return app
    }
    const first = await start(96)
    const { services } = first.app
    const { id: orgId } = await services.organizations.create(system, { name: 'Fennel', entity_name: '' })
    const { id: collectionId } = await services.collections.create(system, orgId, { name: 'Lamps', description: '' })
    const place = { organizationId: orgId, collectionId }
    await services.sources.create(system, place, { type: 'url', name: '', url: `${site.origin}/` })
    await first.runner.idle()
    const search = ({ app }: TestApp) =>
      app.services.search.collection(system, orgId, { collectionId, query: 'shade soap', limit: 5 })
    expect(await search(first)).toMatchObject({ mode: 'hybrid', fragments: [{ title: 'Lamp care' }] })

    const second = await start(160)
    expect(second.app.services.embedding.state()).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('Run sitelore search-index rebuild'),
    })
    expect(await search(second)).toMatchObject({ mode: 'keyword', fragments: [{ title: 'Lamp care' }] })
    const { feedSearch } = second.app.services
    await feedSearch.rebuild(feedSearch.feed ?? expect.fail(), () => {}, new AbortController().signal)
    // The first process still has the former model.
    expect(await search(first)).toMatchObject({ fragments: [{ title: 'Lamp care' }] })

    for (const app of apps.splice(0)) await app.close()
    const third = await start(160)
    expect(third.app.services.embedding.state()).toMatchObject({ kind: 'ready' })
    await third.runner.idle()
    const found = { mode: 'hybrid', pending_embeddings: 0, fragments: [{ title: 'Lamp care' }] }
    expect(await search(third)).toMatchObject(found)
    const stored = await third.app.db.read.execute(sql`select octet_length(vector) as bytes from fragment_vectors`)
    expect(stored).toEqual([{ bytes: 160 * Float32Array.BYTES_PER_ELEMENT }])
  },
)
