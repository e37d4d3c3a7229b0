import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { engine } from '../../../db/engine'
import { system } from '../../../server/actor'
import { createTestApp, type TestApp } from '../../support/app'
import { settleSearch } from '../../support/database/cluster'
import { newDataFolder } from '../../support/database/data-folder'
import { writeTinyModel } from '../../support/embedding/tiny-model'
import { type Site, startSite } from '../../support/sites/site'
import { until } from '../../support/until'

const page = `<!doctype html><html lang="en"><head><title>Lamp care</title></head><body><main><h1>Lamp care</h1>
<p>Wipe the shade of the lamp with a dry cloth, and never with soap.</p></main></body></html>`

const apps: TestApp[] = []
let site: Site
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await site.close()
})

it.runIf(engine === 'postgres')(
  'changes the model of a collection while two processes with different defaults search it',
  { timeout: 120_000 },
  async () => {
    const dataDir = await newDataFolder()
    site = await startSite({ '/': { body: page } })
    for (const dimensions of [96, 160]) {
      const files = { 'config.json': { model_type: 'bert', max_position_embeddings: 512, hidden_size: dimensions } }
      writeTinyModel(join(dataDir, 'models', `tiny-${dimensions}`), { dimensions, files })
    }
    const start = async (name: string) => {
      const app = await createTestApp({ DATA_DIR: dataDir, EMBEDDING_MODEL: name }, { embedder: undefined })
      apps.push(app)
      await app.app.startEmbedding()
      return app
    }
    const first = await start('tiny-96')
    const { services } = first.app
    const { id: organizationId } = await services.organizations.create(system, { name: 'Fennel', entity_name: '' })
    const { id: collectionId } = await services.collections.create(system, organizationId, {
      name: 'Lamps',
      description: '',
    })
    const place = { organizationId, collectionId }
    await services.sources.create(system, place, { type: 'url', name: '', url: `${site.origin}/` })
    await first.runner.idle()
    const search = ({ app }: TestApp) =>
      app.services.search.collection(system, organizationId, { collectionId, query: 'shade soap', limit: 5 })
    const found = { mode: 'hybrid', pending_embeddings: 0, fragments: [{ title: 'Lamp care' }] }
    expect(await search(first)).toMatchObject(found)

    const second = await start('tiny-160')
    await until(async () => (await search(second)).mode === 'hybrid')
    await second.app.services.modelChanges.start(system, place, 'tiny-160')
    await until(async () => {
      for (const app of [first, second])
        expect(await search(app)).toMatchObject({ fragments: [{ title: 'Lamp care' }] })
      await settleSearch(second.app)
      return (await second.app.services.modelChanges.get(system, place)).change?.state === 'removing'
    })
    // The first process loads the model with its next search.
    await until(async () => (await search(first)).mode === 'hybrid')
    await until(async () => (await second.app.services.modelChanges.get(system, place)).change === null)
    await settleSearch(second.app)
    for (const app of [first, second]) expect(await search(app)).toMatchObject(found)
    const stored = await second.app.db.read.execute(sql`select octet_length(vector) as bytes from fragment_vectors`)
    expect(stored).toEqual([{ bytes: 160 * Float32Array.BYTES_PER_ELEMENT }])
  },
)
