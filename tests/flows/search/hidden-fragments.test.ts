import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import { system } from '../../../server/actor'
import type { App } from '../../../server/app'
import type { Fragment } from '../../../server/engine/ports/extractor'
import { replaceFragments } from '../../../server/services/fragments/fragments'
import { openTestApp } from '../../support/app'
import { settleSearch } from '../../support/database/cluster'

// Deleted and uncommitted fragments are still in the indexes: no job runs here.

const dimensions = 384
const model = 'lamp@1'
const embedder = {
  model,
  dimensions,
  embedPassages: async () => [],
  embedQuery: async () => vectorOf(1),
  close: async () => {},
}

let app: App
let organizationId: string
let collectionId: string
beforeEach(async () => {
  app = (await openTestApp({}, { embedder: async () => embedder })).app
  organizationId = (await app.services.organizations.create(system, { name: 'Fennel', entity_name: '' })).id
  collectionId = (await app.services.collections.create(system, organizationId, { name: 'Pages', description: '' })).id
  await app.startEmbedding()
})
afterEach(() => app.close())

/** Of cosine `nearness` to the query. */
function vectorOf(nearness: number): Float32Array {
  const vector = new Float32Array(dimensions)
  vector[0] = nearness
  vector[1] = Math.sqrt(1 - nearness ** 2)
  return vector
}

/** Pages of ten fragments each. */
async function store(sourceId: string, pages: number, text: string, nearness: number): Promise<void> {
  const { indexes } = app
  const keys = { organizationId, collectionId, sourceId }
  for (let page = 0; page < pages; page++) {
    const address = { ...keys, id: `${sourceId}-${page}` }
    await app.db.write(async (tx) => {
      if (page === 0) await tx.insert(sources).values({ ...keys, id: sourceId, type: 'url', name: '', status: 'idle' })
      const told = { url: `https://lamps.example/${sourceId}/${page}`, status: 'idle' as const, fragments: 10 }
      await tx.insert(addresses).values({ ...address, ...told })
      const wanted = Array.from({ length: 10 }, (_, n) => fragmentOf(n, `${text} number ${page * 10 + n}`))
      await replaceFragments(tx, indexes, address, wanted)
      const collection = eq(fragments.addressId, address.id)
      const rows = await tx.select({ key: fragments.key }).from(fragments).where(collection)
      await indexes.vectors.add(
        tx,
        collectionId,
        rows.map(({ key }) => ({ key, vector: vectorOf(nearness) })),
      )
      await tx.update(fragments).set({ vectorModel: model }).where(collection)
    })
  }
  await settleSearch(app)
}

function fragmentOf(ordinal: number, text: string): Fragment {
  const said = { headings: [], innerHeadings: [], anchor: null, tokens: 20, language: 'en' }
  return { ordinal, text, title: '', hash: `hash of ${text}`, ...said }
}

async function search(query = 'storm lamp') {
  const found = await app.services.search.collection(system, organizationId, {
    collectionId,
    query,
    threshold: 0,
    explain: true,
  })
  const from = found.fragments.map(({ url }) => new URL(url).pathname.split('/')[1] ?? '')
  return { from, figures: found.fragments.map(({ figures }) => figures) }
}

const count = (name: string) => Array.from({ length: 10 }, () => name)

it.each([
  ['the 40 best pages', 40],
  ['more pages than a search ever requests', 120],
])(
  'finds other fragments when %s belong to a source that was just deleted',
  async (_, pages) => {
    await store('old', pages, 'storm lamp, storm lamp', 0.95)
    await store(
      'new',
      6,
      'of all the things that one needs in the dark a storm lamp is the one with the longest name',
      0.5,
    )
    await store('other', 2, 'nothing of that kind', 0.1)
    expect((await search()).from).toEqual(count('old'))
    await app.services.sources.remove(system, { organizationId, collectionId, sourceId: 'old' })
    const { from, figures } = await search()
    expect(from).toEqual(count('new'))
    expect(figures[0]).toMatchObject({
      fusion_score: 1,
      keyword_rank: expect.any(Number),
      vector_rank: expect.any(Number),
    })
    expect(Math.max(...figures.map((figure) => figure?.vector_rank ?? 0))).toBeLessThanOrEqual(60)
  },
  30_000,
)

it('returns no fragments of a replacement that is not committed', async () => {
  await store('document', 20, 'storm lamp, storm lamp', 0.95)
  await store(
    'new',
    6,
    'of all the things that one needs in the dark a storm lamp is the one with the longest name',
    0.5,
  )
  // As while a document is replaced: only its first fragment is current.
  await app.db.write(async (tx) => {
    const stored = await tx.select({ id: addresses.id }).from(addresses).where(eq(addresses.sourceId, 'document'))
    for (const { id } of stored) {
      const rows = await tx.select({ key: fragments.key }).from(fragments).where(eq(fragments.addressId, id))
      const first = Math.min(...rows.map(({ key }) => key))
      await tx.update(addresses).set({ committedThroughKey: first }).where(eq(addresses.id, id))
    }
  })
  const { fragments: found } = await app.services.search.collection(system, organizationId, {
    ...{ collectionId, query: 'storm lamp', threshold: 0, limit: 25 },
  })
  const from = found.map(({ url }) => new URL(url).pathname.split('/')[1])
  expect(from).toHaveLength(25)
  expect(from.filter((name) => name === 'document')).toHaveLength(20)
})
