import type { Transaction } from '../../db/database'
import type { SearchThreads } from '../../server/adapters/threads/search-threads'
import type { VectorAnswer, VectorKind, VectorRequest } from '../../server/adapters/vector-index/scan-requests'
import { createSqliteVectorIndex, type SqliteVectorIndexOptions } from '../../server/adapters/vector-index/vector-index'
import type { KeyScore, VectorIndex } from '../../server/engine/ports'

export interface KeyedVector {
  key: number
  vector: Float32Array
}

/** Unit vectors; the sequence is the same in every run. `spread` names how far a number goes, by its place. */
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

/** The nearest of all rows, best first. */
export function nearest(rows: KeyedVector[], query: Float32Array, k: number): KeyScore[] {
  return rows
    .map(({ key, vector }) => ({ key, score: cosine(query, vector) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
}

type Standing = VectorAnswer<'fill'>['standing']

/**
 * An index whose searches are made by a copy in memory alone: each one waits for it. `standings` has what threads said of
 * copies that searches were to use.
 */
export function createCopiedIndex(options: SqliteVectorIndexOptions) {
  const standings: Standing[] = []
  const search: SearchThreads = {
    ...options.search,
    async vectors<Kind extends VectorKind>(request: VectorRequest<Kind>) {
      const answer = await options.search.vectors(request)
      if (request.kind === 'nearest' || request.kind === 'part')
        standings.push((answer as VectorAnswer<'fill'>).standing)
      return answer
    },
  }
  const index = createSqliteVectorIndex({ ...options, search })
  const searchByCopy: VectorIndex<Transaction>['search'] = async (...query) => {
    for (let attempt = 0; attempt < 500; attempt++) {
      const before = standings.length
      const hits = await index.search(...query)
      const [collectionId] = query
      const { chunks } = await options.search.vectors({ kind: 'size', collectionId })
      const isByCopy = standings.slice(before).every((standing) => standing === 'current')
      if (isByCopy || chunks === 0) return hits
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`No copy was used: ${standings.slice(-5)}`)
  }
  return { ...index, search: searchByCopy, searchOnce: index.search, standings }
}
