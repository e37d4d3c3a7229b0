import { sql } from 'drizzle-orm'
import type { Transaction } from '../../db/database'
import type { KeyScore, VectorIndex } from '../engine/ports'
import type { SearchThreads } from './search-threads'

/**
 * For a migration of its own; the number of dimensions is the embedding model's. Space is taken by the chunk: 256 vectors
 * are .4 MB for a small collection, where the default takes 1.6 MB and is a sixth faster in a large one.
 */
export const vectorIndexTable = (dimensions: number) => `create virtual table fragment_vectors using vec0(
  key integer primary key, collection_id text partition key, vector float[${dimensions}] distance_metric=cosine, chunk_size=256)`

// sqlite-vec takes no more in one search.
const mostResults = 4_096
const bytesOfNumber = 4

const nearest = `select key, 1 - distance as score from fragment_vectors
  where vector match ? and k = ? and collection_id = ? order by distance`
const cosines = `select found.key, 1 - vec_distance_cosine(found.vector, ?) as score
  from json_each(?) wanted join fragment_vectors found on found.key = wanted.value where +found.collection_id = ?`

/** Vectors in sqlite-vec, one partition a collection, compared one by one. */
export function createSqliteVectorIndex({ search }: { search: SearchThreads }): VectorIndex<Transaction> {
  return {
    async add(tx, collectionId, vectors) {
      const [first] = vectors
      if (!first) return
      const keys = JSON.stringify(vectors.map(({ key }) => key))
      await removeAll(tx, vectors)
      // Two parameters for all rows: SQLite cuts the vectors out of one another faster than they are bound.
      const bytes = first.vector.length * bytesOfNumber
      await tx.execute(sql`insert into fragment_vectors (key, collection_id, vector)
        select value, ${collectionId}, substr(${joined(vectors)}, 1 + key * ${BigInt(bytes)}, ${BigInt(bytes)}) from json_each(${keys})`)
    },

    async remove(tx, _collectionId, keys) {
      await removeAll(
        tx,
        keys.map((key) => ({ key })),
      )
    },

    search(collectionId, vector, limit) {
      const k = BigInt(Math.min(Math.floor(limit), mostResults))
      return search.all<KeyScore>(nearest, [bytesOf(vector), k, collectionId])
    },

    async cosines(collectionId, vector, keys) {
      if (keys.length === 0) return []
      return search.all<KeyScore>(cosines, [bytesOf(vector), JSON.stringify(keys), collectionId])
    },
  }
}

/** One by one: for a list of keys sqlite-vec reads every row of every collection. */
async function removeAll(tx: Transaction, rows: { key: number }[]): Promise<void> {
  for (const { key } of rows) await tx.execute(sql`delete from fragment_vectors where key = ${BigInt(key)}`)
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

function joined(vectors: { vector: Float32Array }[]): Buffer {
  return Buffer.concat(vectors.map(({ vector }) => bytesOf(vector)))
}
