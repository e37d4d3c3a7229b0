import type SQLite from 'better-sqlite3'
import type { KeyScore } from '../../../engine/ports/search-index'
import { keysInSet } from '../../vector-keys'
import { blockSize } from '../copies/layout'

/** Searches the table by exact cosines. */
export interface ExactScan {
  nearest(setId: string, vector: Float32Array, k: number, among: Float64Array | null): KeyScore[]
  /** Best first. Omits keys of other sets and those without a vector. */
  cosines(setId: string, vector: Float32Array, keys: Float64Array): KeyScore[]
}

/** Up to as many keys are looked up one by one. */
export const maxKeysByLookup = 1_000

const nearestQuery = `select abs(key) key, 1 - vec_distance_cosine(vector, @vector) as score
  from vector_chunks join fragment_vectors on place between chunk_id * ${blockSize} and chunk_id * ${blockSize} + ${blockSize - 1}
  where set_id = @setId order by score desc, abs(key) limit @k`
const cosinesQuery = `select abs(found.key) key, 1 - vec_distance_cosine(found.vector, @vector) as score
  from json_each(@keys) requested cross join fragment_vectors found on found.key = requested.value
  where exists (select 1 from vector_chunks where chunk_id = found.place / ${blockSize} and set_id = @setId)
  order by score desc, abs(found.key) limit @k`

/** Prepares its statements on the connection. Scores are cosines. */
export function createExactScan(connection: SQLite.Database): ExactScan {
  const nearest = connection.prepare<[object], KeyScore>(nearestQuery)
  const cosines = connection.prepare<[object], KeyScore>(cosinesQuery)
  return {
    nearest(setId, vector, k, among) {
      if (among) return rankByCosine(setId, vector, among, k)
      return nearest.all({ setId, vector: bytesOf(vector), k: Math.floor(k) })
    },
    cosines: (setId, vector, keys) => rankByCosine(setId, vector, keys, keys.length),
  }

  function rankByCosine(setId: string, vector: Float32Array, keys: Float64Array, k: number): KeyScore[] {
    const stored = keysInSet(setId, Array.from(keys))
    return cosines.all({ setId, vector: bytesOf(vector), keys: JSON.stringify(stored), k: Math.floor(k) })
  }
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}
