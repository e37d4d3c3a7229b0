import type SQLite from 'better-sqlite3'
import type { KeyScore } from '../../../engine/ports'

/** Searches the table itself. */
export interface ExactSearch {
  nearest(collectionId: string, vector: Float32Array, k: number, among: Float64Array | null): KeyScore[]
  /** Best first; keys of other collections and those without a vector are missing. */
  cosines(collectionId: string, vector: Float32Array, keys: Float64Array): KeyScore[]
}

/** So few keys are looked up one by one. */
export const fewKeys = 1_000
// sqlite-vec takes no more in one search.
const mostResults = 4_096

const nearestQuery = `select key, 1 - distance as score from fragment_vectors
  where vector match ? and k = ? and collection_id = ? order by distance`
const amongQuery = `select key, 1 - distance as score from fragment_vectors
  where vector match ? and k = ? and collection_id = ? and key in (select value from json_each(?)) order by distance`
const cosinesQuery = `select found.key, 1 - vec_distance_cosine(found.vector, ?) as score
  from json_each(?) wanted join fragment_vectors found on found.key = wanted.value
  where +found.collection_id = ? order by score desc`

/** On a connection of its own, with its statements prepared. Scores are cosines. */
export function createExactSearch(connection: SQLite.Database): ExactSearch {
  const nearest = connection.prepare<unknown[], KeyScore>(nearestQuery)
  const nearestAmong = connection.prepare<unknown[], KeyScore>(amongQuery)
  const cosines = connection.prepare<unknown[], KeyScore>(cosinesQuery)
  return {
    nearest(collectionId, vector, k, among) {
      const most = BigInt(Math.min(Math.floor(k), mostResults))
      if (!among) return nearest.all(bytesOf(vector), most, collectionId)
      if (among.length <= fewKeys) return best(collectionId, vector, among).slice(0, k)
      return nearestAmong.all(bytesOf(vector), most, collectionId, jsonOf(among))
    },
    cosines: best,
  }

  function best(collectionId: string, vector: Float32Array, keys: Float64Array): KeyScore[] {
    return cosines.all(bytesOf(vector), jsonOf(keys), collectionId)
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

function jsonOf(keys: Float64Array): string {
  return `[${keys.join()}]`
}
