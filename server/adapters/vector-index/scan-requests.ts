import type { KeyScore } from '../../engine/ports/search-index'
import type { CollectionSize } from './copies/read-chunks'
import type { SyncStatus } from './copies/sync'

export interface NearestQuery {
  setId: string
  vector: Float32Array
  k: number
  /** Keys of the fragments to search; null for all of the set. */
  among: Float64Array | null
  /** Blocks from which candidates are selected by the projection of each vector, or by its first numbers. */
  minCoarseBlocks: number
}

/** Requests to search threads about vectors, and their responses. Copies have ids that are never reused. */
export interface VectorRequests {
  /** Searches the copy if it is usable, otherwise the table. */
  nearest: {
    request: { query: NearestQuery; copy: number | null }
    response: CopyState & { hits: KeyScore[] /** Only without a copy. */; size?: CollectionSize }
  }
  /** Scans blocks until all threads together have scanned all. `nextBlock` is a counter that the threads share. */
  part: {
    request: { query: NearestQuery; copy: number; nextBlock: SharedArrayBuffer }
    response: CopyState & {
      /** The nearest of its blocks; null if the copy is not current, or if candidates were deleted meanwhile. */
      hits: KeyScore[] | null
      /** Blocks scanned by this thread, and blocks of the copy. */
      scanned: number
      total: number
    }
  }
  /** Exact cosines, best first. Omits keys of other sets and those without a vector. */
  cosines: {
    request: { setId: string; vector: Float32Array; keys: Float64Array }
    response: KeyScore[]
  }
  size: { request: { setId: string }; response: CollectionSize }
  /** Creates an empty copy, with the projection of the set, if it has one. */
  create: {
    request: { copy: number; setId: string; dimensions: number; blocks: number; maxBytes: number }
    response: CopyState & {
      /** Whether neither a projection nor the first numbers of its vectors can select candidates. */
      lacksCoarseRows: boolean
    }
  }
  /** Copies some more chunks from the database. */
  fill: { request: { copy: number }; response: CopyState }
}

export interface CopyState {
  /** 'unknown' if this thread does not have the copy; 'unused' if the request named none. */
  status: SyncStatus | 'unknown' | 'unused'
  /** Memory of the copy. */
  bytes: number
  blocks: number
}

export type VectorKind = keyof VectorRequests
export type VectorRequest<Kind extends VectorKind = VectorKind> = {
  [Each in Kind]: { kind: Each } & VectorRequests[Each]['request']
}[Kind]
export type VectorResponse<Kind extends VectorKind> = VectorRequests[Kind]['response']

/** Broadcast to all threads: releases these copies. */
export interface VectorNotification {
  drop: number[]
}
