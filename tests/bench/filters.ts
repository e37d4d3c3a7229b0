/**
 * Compares hybrid searches with filters that keep much or little of a collection to the same searches without a filter.
 * Queries have stored vectors, so embedding is not measured.
 * Usage: npx tsx tests/bench/filters.ts FOLDER_OF_VECTORS [fragments, default 200000] [data folder to reuse]
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { SearchFilters } from '../../contract/chat/search-query'
import { addresses, fragments } from '../../db/schema/addresses'
import { collections, sources } from '../../db/schema/collections'
import { system } from '../../server/actor'
import { createSearchThreads } from '../../server/adapters/search-threads'
import { createSqliteTextIndex } from '../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../server/adapters/vector-index/vector-index'
import type { App } from '../../server/app'
import type { Fragment } from '../../server/engine/ports/extractor'
import { replaceFragments } from '../../server/services/fragments/fragments'
import { openTestApp } from '../support/app'
import { createRandom, readVectors, type VectorSource, vectorFile } from './embedding/vector-file'
import { manualFragments, manualPages, noManuals } from './manuals'
import { percentile, timesOf } from './percentiles'

const [folder = '', count = '200000', dataDir] = process.argv.slice(2)
const total = Number(count)
const different = 40_000
const fragmentsOfPage = 20
const rounds = 60
const model = 'stored@1'
const random = createRandom(7)

/** Of a hundred pages, 95 are under /wide, 50 are in German, and one is under /narrow and in the other source. */
const filters: [string, (others: string) => SearchFilters][] = [
  ['without a filter', () => ({})],
  ['path, 95 %', () => ({ path: ['/wide/**'] })],
  ['language, 50 %', () => ({ language: ['de'] })],
  ['date, 50 %', () => ({ publishedSince: new Date('2026-01-01') })],
  ['path, 1 %', () => ({ path: ['/narrow/**'] })],
  ['source, 1 %', (text) => ({ sourceId: [text] })],
]

async function main(source: VectorSource): Promise<void> {
  let asked = 0
  const embedder = {
    model,
    dimensions: 384,
    embedPassages: async () => [],
    embedQuery: async () => source.queries[asked++ % source.queries.length] ?? new Float32Array(384),
    close: async () => {},
  }
  const { app } = await openTestApp(dataDir ? { DATA_DIR: dataDir } : {}, { embedder: async () => embedder })
  const [known] = await app.db.read.select().from(collections).where(eq(collections.name, 'Filtered'))
  const words = Array.from(manualFragments(Math.min(known ? rounds * 10 : different, total)))
  const collectionId = known?.id ?? (await fill(app, source, words))
  await app.startEmbedding()
  const otherText = `${collectionId}-1`
  const queries = Array.from({ length: rounds }, () => queryOf(words))
  const search = (n: number, input: SearchFilters) =>
    app.services.search.find('bench', {
      collectionId,
      query: queries[n % rounds] ?? '',
      limit: 10,
      threshold: 0,
      ...input,
    })
  for (let n = 0; n < 20; n++) await search(n, {})
  await sleep(3_000)
  // Alternating, so that other work on the machine affects all of them equally.
  const times = filters.map((): number[] => [])
  for (let n = 0; n < rounds; n++) {
    for (const [index, [, make]] of filters.entries()) {
      const input = make(otherText)
      times[index]?.push(...(await timesOf(1, () => search(n, input))))
    }
  }
  for (const [index, [name]] of filters.entries()) {
    const batch = times[index] ?? []
    console.log(`${name.padEnd(18)} p50 ${percentile(batch, 0.5)}, p95 ${percentile(batch, 0.95)}`)
  }
  await app.close()
}

async function fill(app: App, source: VectorSource, words: Fragment[]): Promise<string> {
  const { id: organizationId } = await app.services.organizations.create(system, { name: 'Large', entity_name: '' })
  const named = { name: 'Filtered', description: '' }
  const { id: collectionId } = await app.services.collections.create(system, organizationId, named)
  const search = createSearchThreads({ file: app.config.databaseFile })
  const text = createSqliteTextIndex({ search })
  const indexes = { text, vectors: createSqliteVectorIndex({ search }) }
  const sourceId = (n: number) => `${collectionId}-${n}`
  await app.db.write((tx) =>
    tx.insert(sources).values(
      [0, 1].map((n) => ({
        ...{ id: sourceId(n), organizationId, collectionId },
        ...{ type: 'url' as const, name: 'Pages', status: 'idle' as const },
      })),
    ),
  )
  for (let page = 0; page * fragmentsOfPage < total; page++) {
    const place = (page * 37) % 100
    const keys = { organizationId, collectionId, sourceId: sourceId(place === 99 ? 1 : 0) }
    const address = { ...keys, id: `${collectionId}-${page}` }
    const part = place === 99 ? 'narrow' : place < 95 ? 'wide' : 'others'
    const added = Array.from({ length: fragmentsOfPage }, (_, ordinal) => {
      const first = words[(page * fragmentsOfPage + ordinal) % words.length]
      if (!first) throw new Error('There are no texts.')
      return { ...first, ordinal, hash: `${first.hash}-${page}-${ordinal}` }
    })
    await app.db.write(async (tx) => {
      const facts = { language: page % 2 === 0 ? 'de' : 'en', contentType: 'text/html', fragments: added.length }
      const dates = { publishedAt: new Date(page % 2 === 0 ? '2026-06-01' : '2025-06-01') }
      const url = `https://manual.example/${part}/${page}`
      await tx.insert(addresses).values({ ...address, ...facts, ...dates, url, status: 'idle' })
      await replaceFragments(tx, indexes, address, added)
      const collection = eq(fragments.addressId, address.id)
      const rows = await tx.select({ key: fragments.key }).from(fragments).where(collection)
      await indexes.vectors.add(
        tx,
        collectionId,
        rows.map(({ key }, n) => ({ key, vector: source.at(page * fragmentsOfPage + n) })),
      )
      await tx.update(fragments).set({ vectorModel: model }).where(collection)
    })
  }
  await search.close()
  return collectionId
}

/** Three consecutive words of one of the texts. */
function queryOf(batch: Fragment[]): string {
  const { text = '' } = batch[Math.floor(random.next() * batch.length)] ?? {}
  const words = text.split(/[^A-Za-z]+/).filter((word) => word.length > 1)
  const start = Math.floor(random.next() * Math.max(1, words.length - 3))
  return words.slice(start, start + 3).join(' ')
}

if (!existsSync(vectorFile(folder)))
  console.log('Pass the folder that tests/bench/embedding/make-vectors.ts has filled.')
else if (manualPages().length === 0) console.log(noManuals)
else await main(readVectors(folder))
