import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { engine } from '../../../db/engine'
import { createOpenSearchTextIndex, createOpenSearchVectorIndex } from '../../../server/adapters/opensearch/indexes'
import { createSearchFeed } from '../../../server/adapters/opensearch/search-feed'
import { createSearchIndexes } from '../../../server/adapters/opensearch/search-indexes'
import {
  bm25FactorOf,
  createSearchClient,
  waitForSearchServer,
} from '../../../server/adapters/opensearch/search-server'
import { createRankingThreads } from '../../../server/adapters/ranking-threads'
import { createSqliteTextIndex } from '../../../server/adapters/text-index/text-index'
import { createSqliteVectorIndex } from '../../../server/adapters/vector-index/vector-index'
import type { IndexedText, TextIndex, VectorIndex } from '../../../server/engine/ports/search-index'
import type { Ranker } from '../../../server/engine/search/rank-fragments'
import { openTestDatabase } from './database'
import { openIndexDatabase } from './index-database'

/** The two indexes of an installation without its other tables. */
export interface SearchStore {
  database: Database
  textIndex: TextIndex<Transaction>
  vectorIndex: VectorIndex<Transaction>
  ranker: Ranker
  /** Resolves when searches find all that was added. In one file, they do at once. */
  deliver(): Promise<void>
  /** As `deliver`, and when no work is left in the background. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Indexes of the installation that this run is about: in one file, or in PostgreSQL and OpenSearch. */
export function openSearchStore({ dimensions, rehearse = false }: StoreOptions): Promise<SearchStore> {
  return engine === 'postgres' ? openClusterStore(dimensions) : openFileStore(rehearse)
}

interface StoreOptions {
  dimensions: number
  /** In one file: runs each transaction twice, as it may be run again after a conflict. */
  rehearse?: boolean
}

async function openFileStore(rehearse: boolean): Promise<SearchStore> {
  const { database, search, close } = await openIndexDatabase({ rehearse })
  const textIndex = createSqliteTextIndex({ search })
  return {
    database,
    textIndex,
    vectorIndex: createSqliteVectorIndex({ search }),
    ranker: search,
    deliver: async () => {},
    settle: () => textIndex.settle(),
    close,
  }
}

/** Each document of a test is valid. */
const log = {
  error(details: object, message: string) {
    throw new Error(`${message} ${JSON.stringify(details)}`)
  },
}

async function openClusterStore(dimensions: number): Promise<SearchStore> {
  const { database } = await openTestDatabase()
  // Tests add vectors without fragments.
  await database.write((tx) => tx.execute(sql`alter table fragment_vectors drop constraint fragment_vectors_key_fkey`))
  const indexPrefix = `test-${crypto.randomUUID().slice(0, 8)}`
  const client = createSearchClient({ url: process.env.SEARCH_URL ?? '', auth: null, ca: null })
  const version = await waitForSearchServer(client)
  const indexes = createSearchIndexes({ client, prefix: indexPrefix, model: { name: 'test', dimensions }, shards: 1 })
  await indexes.ensure()
  const names = indexes.aliases.current
  const options = { client, db: database, names, bm25Factor: bm25FactorOf(version) }
  const feed = createSearchFeed({ client, db: database, indexes, log })
  const texts = new Map<number, IndexedText>()
  const textIndex = createOpenSearchTextIndex(options)
  const vectorIndex = createOpenSearchVectorIndex(options)
  const ranker = createRankingThreads({ count: 1 })

  async function deliver(): Promise<void> {
    while ((await feed.deliverNext(async (keys) => keys.flatMap((key) => texts.get(key) ?? []))) > 0);
    await feed.refresh()
  }

  return {
    database,
    textIndex: {
      ...textIndex,
      async add(tx, fragments) {
        await textIndex.add(tx, fragments)
        for (const fragment of fragments) texts.set(fragment.key, fragment)
      },
      async remove(tx, collectionId, keys) {
        await textIndex.remove(tx, collectionId, keys)
        for (const key of keys) if (texts.get(key)?.collectionId === collectionId) texts.delete(key)
      },
    },
    vectorIndex: {
      ...vectorIndex,
      async add(tx, collectionId, vectors) {
        await vectorIndex.add(tx, collectionId, vectors)
        for (const { key } of vectors)
          if (!texts.has(key)) texts.set(key, { key, collectionId, title: '', headings: '', text: '' })
      },
    },
    ranker,
    deliver,
    settle: deliver,
    async close() {
      await ranker.close()
      await client.indices.delete({ index: `${indexPrefix}-*` })
      await client.close()
      await database.close()
    },
  }
}
