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
import {
  type IndexedText,
  partsOfSetId,
  type TextIndex,
  type VectorIndex,
} from '../../../server/engine/ports/search-index'
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
export function openSearchStore({ rehearse = false }: StoreOptions = {}): Promise<SearchStore> {
  return engine === 'postgres' ? openClusterStore() : openFileStore(rehearse)
}

interface StoreOptions {
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

async function openClusterStore(): Promise<SearchStore> {
  const { database } = await openTestDatabase()
  const indexPrefix = `test-${crypto.randomUUID().slice(0, 8)}`
  const client = createSearchClient({ url: process.env.SEARCH_URL ?? '', auth: null, ca: null })
  const version = await waitForSearchServer(client)
  const indexes = createSearchIndexes({ client, prefix: indexPrefix, shards: 1 })
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
      async add(tx, setId, vectors) {
        await vectorIndex.add(tx, setId, vectors)
        const { collectionId } = partsOfSetId(setId)
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
