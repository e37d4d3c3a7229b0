import { eq } from 'drizzle-orm'
import { addresses, fragments } from '../../db/schema/addresses'
import { collections, sources } from '../../db/schema/collections'
import { organizations } from '../../db/schema/organizations'
import { system } from '../../server/actor'
import { createTokenizer } from '../../server/adapters/embedding/model-tokenizer'
import { createSearchThreads } from '../../server/adapters/search-threads'
import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index/vector-index'
import type { App } from '../../server/app'
import { embeddingText, headingSeparator } from '../../server/engine/chunking/embedding-text'
import type { Fragment } from '../../server/engine/ports/extractor'
import type { Embedder } from '../../server/engine/ports/search-index'
import { tokensPerWordOf } from '../../server/engine/search/query/token-counter'
import { replaceFragments } from '../../server/services/fragments/fragments'
import { createRandom } from './embedding/vector-file'
import { modelFolder } from './manuals'

interface Content {
  texts: Fragment[]
  embedder: Embedder
  /** Fragments. */
  total: number
}

const name = 'Large'
const fragmentsOfPage = 20
/** Fragments that are embedded; the others would take half an hour. */
const embeddedTexts = 4_000
/** Distance of a vector with noise to its original. */
const noise = 0.5
const random = createRandom(7)

/** A collection of many fragments, or that of an earlier run in the same data folder. */
export async function largeCollection(
  app: App,
  content: Content,
): Promise<{ organizationId: string; collectionId: string }> {
  return (await existing(app)) ?? (await fill(app, content))
}

/** The collection of an earlier run in the same data folder. */
async function existing(app: App) {
  const [row] = await app.db.read.select().from(collections).where(eq(collections.name, name))
  return row && { organizationId: row.organizationId, collectionId: row.id }
}

/** Fragments of the manuals, repeated. Some are embedded, and the others take their vectors with noise added. */
async function fill(app: App, { texts, embedder, total }: Content) {
  const { model } = embedder
  const embedded = texts
    .slice(0, embeddedTexts)
    .map((text) => embeddingText({ ...text, headings: text.headings.join(headingSeparator) }))
  const vectors = await embedder.embedPassages(embedded)
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Bench', entity_name: '' })
  await app.db.write((tx) =>
    tx.update(organizations).set({ plan: 'unlimited' }).where(eq(organizations.id, organizationId)),
  )
  const { id: collectionId } = await app.services.collections.create(system, organizationId, {
    name,
    description: '',
  })
  const search = createSearchThreads({ file: app.config.databaseFile })
  const text = createSqliteTextIndex({ search, merging: { database: app.db, file: app.config.databaseFile } })
  const indexes = { text, vectors: createSqliteVectorIndex({ search }) }
  const tokenizer = createTokenizer(modelFolder)
  const keys = { organizationId, collectionId, sourceId: `${collectionId}-0` }
  await app.db.write((tx) =>
    tx
      .insert(sources)
      .values({ id: keys.sourceId, organizationId, collectionId, type: 'url', name: 'Pages', status: 'idle' }),
  )
  for (let page = 0; page * fragmentsOfPage < total; page++) {
    const address = { ...keys, id: `${collectionId}-${page}` }
    const added = Array.from({ length: fragmentsOfPage }, (_, ordinal) => {
      const first = texts[(page * fragmentsOfPage + ordinal) % texts.length]
      if (!first) throw new Error('There are no texts.')
      return { ...first, ordinal, hash: `${first.hash}-${page}-${ordinal}` }
    })
    await app.db.write(async (tx) => {
      const url = `https://manual.example/${page}`
      const facts = { language: 'en', contentType: 'text/html', fragments: added.length, status: 'idle' as const }
      await tx.insert(addresses).values({ ...address, ...facts, url })
      await replaceFragments(tx, indexes, address, added)
      const collection = eq(fragments.addressId, address.id)
      const rows = await tx.select({ key: fragments.key, text: fragments.text }).from(fragments).where(collection)
      await indexes.vectors.add(
        tx,
        collectionId,
        rows.map(({ key }, n) => ({ key, vector: vectorOf(page * fragmentsOfPage + n, vectors) })),
      )
      for (const { key, text: content } of rows) {
        const measured = { vectorModel: model, tokensPerWord: tokensPerWordOf(content, tokenizer) }
        await tx.update(fragments).set(measured).where(eq(fragments.key, key))
      }
    })
  }
  await text.settle()
  await text.close()
  await search.close()
  return { organizationId, collectionId }
}

function vectorOf(place: number, vectors: Float32Array[]): Float32Array {
  const vector = vectors[place % vectors.length]
  if (!vector) throw new Error('There are no vectors.')
  if (place < vectors.length) return vector
  const moved = vector.map((value) => value + (noise / Math.sqrt(vector.length)) * random.normal())
  const length = Math.hypot(...moved)
  return moved.map((value) => value / length)
}
