import type { Client } from '@opensearch-project/opensearch'
import type { Database, Transaction } from '../../../db/database'
import type { TextIndex, VectorIndex } from '../../engine/ports/search-index'
import { searchKeywords } from './keyword-search'
import { addToOutbox } from './outbox'
import type { IndexNames } from './search-indexes'
import { searching, statusOf } from './search-server'
import { deleteVectors, exactCosines, readVectors, storeVectors } from './stored-vectors'

export interface OpenSearchIndexOptions {
  client: Client
  db: Database
  /** What searches read. */
  names: IndexNames
  bm25Factor: number
}

/** More candidates than hits, because the graph of vectors is searched approximately. */
const minCandidates = 150

/** Keyword search in OpenSearch. Changes are entries of the outbox, in the transaction of the fragments. */
export function createOpenSearchTextIndex(options: OpenSearchIndexOptions): TextIndex<Transaction> {
  return {
    async add(tx, fragments) {
      for (const collectionId of new Set(fragments.map((fragment) => fragment.collectionId))) {
        const ofCollection = fragments.filter((fragment) => fragment.collectionId === collectionId)
        await addToOutbox(
          tx,
          collectionId,
          ofCollection.map(({ key }) => key),
        )
      }
    },
    remove: addToOutbox,
    search: (collectionId, query, limit, among) =>
      searching(() => searchKeywords(options, collectionId, query, limit, among)),
  }
}

/**
 * Vector search in OpenSearch, by a graph. The vectors themselves are stored in PostgreSQL, where the hits are ranked by
 * their exact cosines.
 */
export function createOpenSearchVectorIndex({ client, db, names }: OpenSearchIndexOptions): VectorIndex<Transaction> {
  return {
    async add(tx, collectionId, vectors) {
      await storeVectors(tx, vectors)
      await addToOutbox(
        tx,
        collectionId,
        vectors.map(({ key }) => key),
      )
    },

    async remove(tx, collectionId, keys) {
      await deleteVectors(tx, keys)
      await addToOutbox(tx, collectionId, keys)
    },

    async search(collectionId, vector, limit, among) {
      const size = Math.floor(limit)
      if (size < 1 || among?.size === 0) return []
      const filter = [{ term: { collection: collectionId } }, ...(among ? [{ terms: { key: [...among] } }] : [])]
      const found = await searching(() =>
        client.search({
          index: names.fragments,
          routing: collectionId,
          body: {
            size,
            track_total_hits: false,
            stored_fields: '_none_',
            docvalue_fields: ['key'],
            query: {
              knn: {
                vector: { vector: Array.from(vector), k: Math.max(size, minCandidates), filter: { bool: { filter } } },
              },
            },
          } as Record<string, unknown>,
        }),
      ).catch((error: unknown) => {
        // The model was changed, and this process has not been restarted since.
        if (isOfOtherWidth(error)) return null
        throw error
      })
      if (!found) return []
      const keys = (found.body.hits.hits as unknown as { fields: { key: number[] } }[]).flatMap(
        ({ fields }) => fields.key,
      )
      const scored = await exactCosines(db.read, vector, keys)
      return scored.sort((first, second) => second.score - first.score || first.key - second.key)
    },

    read: (keys) => readVectors(db.read, keys),

    cosines: (_, vector, keys) => exactCosines(db.read, vector, keys),
  }
}

function isOfOtherWidth(error: unknown): boolean {
  return statusOf(error) === 400 && String(error).includes('invalid dimension')
}
