import type { Database, Transaction } from '../../../db/database'
import type { KeyScore, VectorIndex } from '../../engine/ports'
import type { SearchThreads } from '../threads/search-threads'
import { searchInParts } from './parallel-scan'
import { fewKeys } from './scan/exact-scan'
import type { NearestOrder } from './scan-requests'
import { createVectorCopies } from './vector-cache'
import { addVectors, removeVectors } from './vector-store'
import { createVectorMemory } from './warmup-log'

export interface SqliteVectorIndexOptions {
  search: SearchThreads
  /** What copies of collections in memory may take together; without it every search reads the database. */
  cacheBytes?: number
  /** The first half of a vector holds most of what tells it from others, as after the rotation of a model. */
  rotated?: boolean
  /** Where it is kept which collections were searched, so that they are copied after a start. */
  database?: Database
  log?: { warn(details: object, message: string): void }
  tuning?: Partial<VectorTuning>
}

/** When a copy is made and how it is searched; measured, see `docs/decisions/vector-scan.md`. */
export interface VectorTuning {
  /** Chunks of 256 vectors from which on a collection is copied. */
  leastChunks: number
  /** From which on candidates are chosen by the first half of rotated vectors. */
  coarseFrom: number
  /** From which on a search is shared by all threads. */
  splitFrom: number
  /** What was searched within this time does not leave memory for another collection. */
  restMs: number
}

export interface SqliteVectorIndex extends VectorIndex<Transaction> {
  /** Copies the collections that were searched last, one after the other, in between of searches. */
  warm(): Promise<void>
  close(): Promise<void>
}

const measured: VectorTuning = { leastChunks: 8, coarseFrom: 80, splitFrom: 160, restMs: 30_000 }

/** Results of one search; more are left to the table. */
const mostByCopy = 1_000

const storedQuery = `select found.key, found.vector
  from json_each(?) wanted join fragment_vectors found on found.key = wanted.value`

/**
 * Vectors in sqlite-vec, one partition a collection. Searches of large ones scan a copy in shared memory and rank what
 * they find by the exact cosines of the database, so that nothing is found that is not stored.
 */
export function createSqliteVectorIndex(options: SqliteVectorIndexOptions): SqliteVectorIndex {
  const { search, cacheBytes = 0, rotated = false, database, log, tuning } = options
  const { leastChunks, coarseFrom, splitFrom, restMs } = { ...measured, ...tuning }
  const copies = createVectorCopies({ search, mostBytes: cacheBytes, leastChunks, restMs })
  const memory = database && createVectorMemory({ database, log })
  let isClosed = false

  return {
    add: addVectors,
    remove: removeVectors,

    async search(collectionId, vector, limit, among) {
      const k = Math.floor(limit)
      if (k < 1 || among?.size === 0) return []
      const order: NearestOrder = {
        collectionId,
        // Of its own, as the whole buffer behind it would be copied to the thread.
        vector: vector.slice(),
        k,
        among: among ? Float64Array.from(among) : null,
        coarseFrom: rotated ? coarseFrom : null,
      }
      const isForTable = k > mostByCopy || (among && among.size <= fewKeys)
      const copy = isForTable ? null : copies.use(collectionId)
      if (!copy) return searchWithoutCopy(order)
      memory?.searched(collectionId)
      const report = copies.report.bind(null, collectionId, copy.id)
      const hits = copy.blocks >= splitFrom ? await searchInParts(search, order, copy.id, report) : null
      if (hits) return hits
      const answer = await search.vectors({ kind: 'nearest', order, copy: copy.id })
      report(answer)
      return answer.hits
    },

    async read(keys) {
      const rows = await search.all<{ key: number; vector: Uint8Array }>(storedQuery, [JSON.stringify(keys)])
      return rows.map(({ key, vector }) => ({ key, vector: new Float32Array(vector.slice().buffer) }))
    },

    async cosines(collectionId, vector, keys) {
      if (keys.length === 0) return []
      const wanted = { collectionId, vector: vector.slice(), keys: Float64Array.from(keys) }
      return search.vectors({ kind: 'cosines', ...wanted })
    },

    async warm() {
      for (const collectionId of (await memory?.lastSearched()) ?? []) {
        if (isClosed) return
        const size = await search.vectors({ kind: 'size', collectionId })
        if (!(await copies.warm(collectionId, size))) return
      }
    },

    async close() {
      isClosed = true
      copies.close()
      await memory?.close()
    },
  }

  async function searchWithoutCopy(order: NearestOrder): Promise<KeyScore[]> {
    const { hits, size } = await search.vectors({ kind: 'nearest', order, copy: null })
    if (size) copies.want(order.collectionId, size)
    return hits
  }
}
