import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { engine } from '../../../db/engine'
import { addresses, fragments } from '../../../db/schema/addresses'
import { collections, modelChanges, sources } from '../../../db/schema/collections'
import { jobs } from '../../../db/schema/jobs'
import { organizations } from '../../../db/schema/organizations'
import type { App } from '../../../server/app'
import type { Embedder } from '../../../server/engine/ports/search-index'
import { openTestApp } from '../../support/app'

/** More than one batch. */
const count = 70

let app: App
beforeEach(async () => {
  app = (await openTestApp()).app
  const owner = { organizationId: 'o1', collectionId: 'c1' }
  await app.db.write(async (tx) => {
    await tx.insert(organizations).values({ id: 'o1', name: 'Fennel', plan: 'free' })
    await tx.insert(collections).values({ id: 'c1', organizationId: 'o1', name: 'Lamps' })
    await tx.insert(sources).values({ id: 's1', ...owner, type: 'url', name: 'Care', status: 'idle' })
    const url = 'https://lamps.example/care'
    await tx.insert(addresses).values({ id: 'u1', ...owner, sourceId: 's1', url, status: 'idle' })
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const text = { title: 'Care', headings: '', text: `Lamp ${ordinal}`, hash: `h${ordinal}`, tokens: 3, ordinal }
      await tx.insert(fragments).values({ ...owner, sourceId: 's1', addressId: 'u1', ...text })
    }
  })
})
afterEach(() => app.close())

function embedder(model: string, dimensions = 384): Embedder {
  const vector = () => new Float32Array(dimensions).fill(1)
  return {
    model,
    dimensions,
    embedQuery: async () => vector(),
    embedPassages: async (texts) => texts.map(vector),
    close: vi.fn(async () => {}),
  }
}

async function embedAll() {
  while ((await app.services.embedding.embedNext('c1', new AbortController().signal)) > 0);
}
/** Builds the vectors of a new model and ends the searches before the swap. */
async function change() {
  const { signal } = new AbortController()
  const next = () => app.services.vectorBuilding.next('c1', signal).catch((error) => error.name === 'RetryLater')
  while ((await next()) && !(await app.db.read.select().from(modelChanges))[0]?.swappedAt);
  await app.db.write((tx) => tx.update(modelChanges).set({ swappedAt: new Date(0) }))
  while (await next());
}
const models = async () =>
  (await app.db.read.selectDistinct({ model: fragments.vectorModel }).from(fragments)).map(({ model }) => model)
const vectors = async () =>
  (await app.db.read.execute<{ n: number }>(sql`select count(*) n from fragment_vectors`))[0]?.n

it.runIf(engine === 'sqlite')('replaces the vectors of the previous model', async () => {
  await app.services.embedding.ready(embedder('one'))
  await embedAll()
  expect([await models(), await vectors()]).toEqual([['one'], count])
  await app.db.write((tx) => tx.delete(jobs))

  await app.services.embedding.ready(embedder('one'))
  expect([await models(), await vectors()]).toEqual([['one'], count])
  expect(await app.db.read.$count(jobs)).toBe(0)

  await app.services.embedding.ready(embedder('two'))
  expect([await models(), await vectors()]).toEqual([['one'], count])
  expect(await app.db.read.select().from(jobs)).toMatchObject([
    { kind: 'change-model', payload: { collectionId: 'c1' } },
  ])
  await change()
  expect([await models(), await vectors()]).toEqual([['two'], count])
})

it.runIf(engine === 'sqlite')('measures the tokens per word of a text with its vector', async () => {
  const measured = async () =>
    (await app.db.read.select({ tokens: fragments.tokensPerWord }).from(fragments)).map(({ tokens }) => tokens)
  await app.services.embedding.ready(embedder('one'))
  expect(await measured()).toEqual(Array(count).fill(null))
  await embedAll()
  for (const tokens of await measured()) expect(tokens).toBeGreaterThanOrEqual(1)
  await app.db.write((tx) => tx.update(fragments).set({ tokensPerWord: 0 }))
  await app.services.embedding.ready(embedder('two'))
  await change()
  for (const tokens of await measured()) expect(tokens).toBeGreaterThanOrEqual(1)
})

it.each([32, 8_192])(
  'does not use a model whose vectors of %i numbers do not fit the index, and reports it',
  async (dimensions) => {
    const unfit = embedder('other', dimensions)
    await app.services.embedding.ready(unfit)
    expect(app.services.embedding.state()).toEqual({
      kind: 'unavailable',
      reason: `The vectors of the model other have ${dimensions} dimensions; the index stores 64 to 4,096.`,
    })
    expect(app.services.embedding.embedder()).toBeNull()
    expect(unfit.close).toHaveBeenCalledOnce()
  },
)

it.runIf(engine === 'sqlite')('changes to a model with other dimensions', async () => {
  await app.services.embedding.ready(embedder('one'))
  await embedAll()
  await app.services.embedding.ready(embedder('wide', 768))
  await change()
  const [row] = await app.db.read.execute<{ bytes: number }>(
    sql`select distinct length(vector) bytes from fragment_vectors`,
  )
  expect([await models(), row?.bytes]).toEqual([['wide'], 768 * 4])
})

it('names the model of a collection that has only its vectors, so that it keeps it', async () => {
  await app.services.embedding.ready(embedder('one'))
  await embedAll()
  const named = async () => (await app.db.read.select().from(collections))[0]?.embeddingModel
  expect(await named()).toBe('all-MiniLM-L6-v2')
  await app.db.write((tx) => tx.update(collections).set({ embeddingModel: null }))
  await app.services.embedding.ready(embedder('one'))
  expect(await named()).toBe('all-MiniLM-L6-v2')
})
