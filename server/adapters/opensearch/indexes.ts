import type { Client } from '@opensearch-project/opensearch'
import type { Database, Transaction } from '../../../db/database'
import { partsOfSetId, type TextIndex, type VectorIndex } from '../../engine/ports/search-index'
import { keysInSet, keysInSlot } from '../vector-keys'
import { vectorField } from './fragment-document'
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
    async add(tx, setId, vectors) {
      const keys = vectors.map(({ key }) => key)
      const stored = keysInSet(setId, keys)
      await storeVectors(
        tx,
        vectors.map(({ vector }, n) => ({ key: stored[n] ?? 0, vector })),
      )
      await addToOutbox(tx, partsOfSetId(setId).collectionId, keys)
    },

    async remove(tx, setId, keys) {
      await deleteVectors(tx, keysInSet(setId, keys))
      await addToOutbox(tx, partsOfSetId(setId).collectionId, keys)
    },

    async search(setId, vector, limit, among) {
      const { collectionId, slot } = partsOfSetId(setId)
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
                [vectorField(slot, vector.length)]: {
                  vector: Array.from(vector),
                  k: Math.max(size, minCandidates),
                  filter: { bool: { filter } },
                },
              },
            },
          } as Record<string, unknown>,
        }),
      ).catch((error: unknown) => {
        // No vector of this width was written yet.
        if (isUnknownField(error)) return null
        throw error
      })
      if (!found) return []
      const keys = (found.body.hits.hits as unknown as { fields: { key: number[] } }[]).flatMap(
        ({ fields }) => fields.key,
      )
      const scored = await exactCosines(db.read, vector, keysInSet(setId, keys))
      return scored.sort((first, second) => second.score - first.score || first.key - second.key)
    },

    async read(slot, keys) {
      const stored = await readVectors(db.read, keysInSlot(slot, keys))
      return stored.map(({ key, vector }) => ({ key: Math.abs(key), vector }))
    },

    cosines: (setId, vector, keys) => exactCosines(db.read, vector, keysInSet(setId, keys)),
  }
}

function isUnknownField(error: unknown): boolean {
  return statusOf(error) === 400 && String(error).includes('is not knn_vector type')
}
