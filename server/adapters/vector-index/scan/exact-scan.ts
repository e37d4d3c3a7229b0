import type SQLite from 'better-sqlite3'
import type { KeyScore } from '../../../engine/ports/search-index'

/** Searches the table by exact cosines. */
export interface ExactScan {
  nearest(collectionId: string, vector: Float32Array, k: number, among: Float64Array | null): KeyScore[]
  /** Best first. Omits keys of other collections and those without a vector. */
  cosines(collectionId: string, vector: Float32Array, keys: Float64Array): KeyScore[]
}

/** Up to as many keys are looked up one by one. */
export const maxKeysByLookup = 1_000
// The limit of sqlite-vec for one search.
const maxResults = 4_096

const nearestQuery = `select key, 1 - distance as score from fragment_vectors
  where vector match ? and k = ? and collection_id = ? order by distance`
const amongQuery = `select key, 1 - distance as score from fragment_vectors
  where vector match ? and k = ? and collection_id = ? and key in (select value from json_each(?)) order by distance`
const cosinesQuery = `select found.key, 1 - vec_distance_cosine(found.vector, ?) as score
  from json_each(?) requested join fragment_vectors found on found.key = requested.value
  where +found.collection_id = ? order by score desc`

/** Prepares its statements on the connection. Scores are cosines. */
export function createExactScan(connection: SQLite.Database): ExactScan {
  const nearest = connection.prepare<unknown[], KeyScore>(nearestQuery)
  const nearestAmong = connection.prepare<unknown[], KeyScore>(amongQuery)
  const cosines = connection.prepare<unknown[], KeyScore>(cosinesQuery)
  return {
    nearest(collectionId, vector, k, among) {
      const limit = BigInt(Math.min(Math.floor(k), maxResults))
      if (!among) return nearest.all(bytesOf(vector), limit, collectionId)
      if (among.length <= maxKeysByLookup) return rankByCosine(collectionId, vector, among).slice(0, k)
      return nearestAmong.all(bytesOf(vector), limit, collectionId, jsonOf(among))
    },
    cosines: rankByCosine,
  }

  function rankByCosine(collectionId: string, vector: Float32Array, keys: Float64Array): KeyScore[] {
    return cosines.all(bytesOf(vector), jsonOf(keys), collectionId)
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

function jsonOf(keys: Float64Array): string {
  return `[${keys.join()}]`
}
