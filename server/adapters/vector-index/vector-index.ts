import type { Database, Transaction } from '../../../db/database'
import type { KeyScore, VectorIndex } from '../../engine/ports/search-index'
import type { SearchThreads } from '../search-threads'
import { keysInSlot } from '../vector-keys'
import { searchInParallel } from './parallel-scan'
import { createProjectionLearner } from './projection/projection-learner'
import { maxKeysByLookup } from './scan/exact-scan'
import type { NearestQuery } from './scan-requests'
import { createVectorCache } from './vector-cache'
import { addVectors, removeVectors } from './vector-store'
import { createWarmupLog } from './warmup-log'

export interface SqliteVectorIndexOptions {
  search: SearchThreads
  /** Memory for cached copies of sets. With 0, every search reads the database. */
  cacheBytes?: number
  /**
   * Stores which collections were searched, so that they are cached again after a restart, and what is learned of their
   * vectors. `file` is that of the database.
   */
  stored?: { database: Database; file: string }
  log?: { warn(details: object, message: string): void }
  tuning?: Partial<VectorTuning>
}

/** When a set is cached, and how it is scanned. See docs/decisions/vector-scan.md for the measurements. */
export interface VectorTuning {
  /** Chunks of 256 vectors from which a set is cached. */
  minCachedChunks: number
  /** Blocks from which candidates are selected by projections, or by the first numbers of rotated vectors. */
  minCoarseBlocks: number
  /** Blocks from which all threads share a scan. */
  minParallelBlocks: number
  /** A set searched within this time is not evicted. */
  minIdleMs: number
}

export interface SqliteVectorIndex extends VectorIndex<Transaction> {
  /** Caches the most recently searched collections, one at a time, between searches. */
  warm(): Promise<void>
  close(): Promise<void>
}

const defaultTuning: VectorTuning = {
  minCachedChunks: 8,
  minCoarseBlocks: 80,
  minParallelBlocks: 160,
  minIdleMs: 30_000,
}

/** A search for more results reads the table. */
const maxCachedResults = 1_000

const storedQuery = `select abs(found.key) key, found.vector
  from json_each(?) requested join fragment_vectors found on found.key = requested.value`

/**
 * Stores vectors in chunks, by set. Searches of large sets scan a copy in shared
 * memory, and rank the candidates by their exact cosines in the database, so that they never return deleted vectors.
 */
export function createSqliteVectorIndex(options: SqliteVectorIndexOptions): SqliteVectorIndex {
  const { search, cacheBytes = 0, stored, log, tuning } = options
  const { minCachedChunks: minChunks, minCoarseBlocks, minParallelBlocks, minIdleMs } = { ...defaultTuning, ...tuning }
  const cache = createVectorCache({ search, maxBytes: cacheBytes, minChunks, minIdleMs })
  const warmupLog = stored && createWarmupLog({ database: stored.database, ...(log ? { log } : {}) })
  const learner = stored && createProjectionLearner({ ...stored, log })
  /** Collections for which a projection was learned, or tried, since the start. */
  const projected = new Set<string>()
  let isClosed = false

  return {
    add: addVectors,
    remove: removeVectors,

    async search(setId, vector, limit, among) {
      const k = Math.floor(limit)
      if (k < 1 || among?.size === 0) return []
      const query: NearestQuery = {
        setId,
        // A copy, because posting a view copies its whole buffer.
        vector: vector.slice(),
        k,
        among: among ? Float64Array.from(among) : null,
        minCoarseBlocks,
      }
      const isCacheable = k <= maxCachedResults && !(among && among.size <= maxKeysByLookup)
      const copy = isCacheable ? cache.use(setId) : null
      if (!copy) return searchTable(query)
      warmupLog?.record(setId)
      // It fails only while the threads are closing.
      if (copy.lacksCoarseRows && copy.blocks >= minCoarseBlocks) addProjection(setId).catch(() => {})
      const report = cache.report.bind(null, setId, copy.id)
      const hits = copy.blocks >= minParallelBlocks ? await searchInParallel(search, query, copy.id, report) : null
      if (hits) return hits
      const response = await search.vectors({ kind: 'nearest', query, copy: copy.id })
      report(response)
      return response.hits
    },

    async read(slot, keys) {
      const rows = await search.all<{ key: number; vector: Uint8Array }>(storedQuery, [
        JSON.stringify(keysInSlot(slot, keys)),
      ])
      return rows.map(({ key, vector }) => ({ key, vector: new Float32Array(vector.slice().buffer) }))
    },

    async cosines(setId, vector, keys) {
      if (keys.length === 0) return []
      return search.vectors({ kind: 'cosines', setId, vector: vector.slice(), keys: Float64Array.from(keys) })
    },

    async warm() {
      for (const setId of (await warmupLog?.list()) ?? []) {
        if (isClosed) return
        const size = await search.vectors({ kind: 'size', setId })
        if (!(await cache.preload(setId, size))) return
      }
    },

    async close() {
      isClosed = true
      cache.close()
      await Promise.all([learner?.close(), warmupLog?.close()])
    },
  }

  /** Learns a projection that shortens the scans of a set, and copies the set once more. */
  async function addProjection(setId: string): Promise<void> {
    if (!learner || projected.has(setId)) return
    // Once: what could not be learned is tried again after the next start.
    projected.add(setId)
    if (!(await learner.learn(setId)) || isClosed) return
    cache.renew(setId, await search.vectors({ kind: 'size', setId }))
  }

  async function searchTable(query: NearestQuery): Promise<KeyScore[]> {
    const { hits, size } = await search.vectors({ kind: 'nearest', query, copy: null })
    if (size) cache.load(query.setId, size)
    return hits
  }
}
