import type { Transaction } from '../../../db/database'
import type { SearchThreads } from '../../../server/adapters/search-threads'
import type { VectorKind, VectorRequest, VectorResponse } from '../../../server/adapters/vector-index/scan-requests'
import {
  createSqliteVectorIndex,
  type SqliteVectorIndexOptions,
} from '../../../server/adapters/vector-index/vector-index'
import type { KeyScore, VectorIndex } from '../../../server/engine/ports/search-index'
import { until } from '../until'

export interface KeyedVector {
  key: number
  vector: Float32Array
}

/** Unit vectors from a fixed pseudo-random sequence. `spread` gives the range of a component by its index. */
export function createVectors(dimensions: number, seed = 1, spread: (place: number) => number = () => 1) {
  let state = seed
  const random = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  const near = (centre: ArrayLike<number>, share: number) =>
    unit(Float32Array.from({ length: dimensions }, (_, n) => (centre[n] ?? 0) + share * spread(n) * (random() - 0.5)))
  return { random, near, next: () => near([], 1) }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0)
}

/** The nearest rows by exhaustive search, best first. */
export function nearest(rows: KeyedVector[], query: Float32Array, k: number): KeyScore[] {
  return rows
    .map(({ key, vector }) => ({ key, score: cosine(query, vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
}

type Status = VectorResponse<'fill'>['status']

/**
 * An index whose searches wait until a cached copy serves them. `statuses` has what the threads reported about the copies
 * that searches asked for.
 */
export function createCopiedIndex(options: SqliteVectorIndexOptions) {
  const statuses: Status[] = []
  const search: SearchThreads = {
    ...options.search,
    async vectors<Kind extends VectorKind>(request: VectorRequest<Kind>) {
      const answer = await options.search.vectors(request)
      if (request.kind === 'nearest' || request.kind === 'part')
        statuses.push((answer as VectorResponse<'fill'>).status)
      return answer
    },
  }
  const index = createSqliteVectorIndex({ ...options, search })
  const searchByCopy: VectorIndex<Transaction>['search'] = (...query) =>
    until(
      async () => {
        const before = statuses.length
        const hits = await index.search(...query)
        const [setId] = query
        const { chunks } = await options.search.vectors({ kind: 'size', setId })
        const isByCopy = statuses.slice(before).every((status) => status === 'current')
        return isByCopy || chunks === 0 ? hits : null
      },
      { everyMs: 5 },
    )
  return { ...index, search: searchByCopy, searchOnce: index.search, statuses }
}
