import type { KeyScore } from '../../engine/ports'
import type { CollectionSize } from './copies/read-chunks'
import type { Standing } from './copies/sync'
import type { Candidates } from './scan/candidates'

/** What is looked for. */
export interface NearestOrder {
  collectionId: string
  vector: Float32Array
  k: number
  /** Null: all of the collection. */
  among: Float64Array | null
  /** From so many blocks on they are chosen by the first half of each vector; null: never. */
  coarseFrom: number | null
}

/** What a search thread is asked about vectors, and what it answers. Copies go by numbers that are given once. */
export interface VectorRequests {
  /** By the copy where there is one that can be used, by the table otherwise. */
  nearest: {
    request: { order: NearestOrder; copy: number | null }
    answer: CopyState & { hits: KeyScore[] /** When there is no copy. */; size?: CollectionSize }
  }
  /** The blocks that this thread gets hold of before others do; how many is counted up in `turns`. */
  part: {
    request: { order: NearestOrder; copy: number; turns: SharedArrayBuffer }
    answer: CopyState & { candidates: Candidates | null /** Blocks scanned, of how many. */; done: number; of: number }
  }
  /** Exact cosines, best first; keys of other collections and without a vector are missing. */
  cosines: {
    request: { collectionId: string; vector: Float32Array; keys: Float64Array }
    answer: KeyScore[]
  }
  size: { request: { collectionId: string }; answer: CollectionSize }
  /** Makes an empty copy. */
  make: {
    request: { copy: number; collectionId: string; dimensions: number; blocks: number; mostBytes: number }
    answer: CopyState
  }
  /** Brings a copy some chunks nearer to the database. */
  fill: { request: { copy: number }; answer: CopyState }
}

export interface CopyState {
  /** 'unknown': this thread does not have the copy; 'unused': none was named. */
  standing: Standing | 'unknown' | 'unused'
  /** Of memory. */
  bytes: number
  blocks: number
}

export type VectorKind = keyof VectorRequests
export type VectorRequest<Kind extends VectorKind = VectorKind> = {
  [Each in Kind]: { kind: Each } & VectorRequests[Each]['request']
}[Kind]
export type VectorAnswer<Kind extends VectorKind> = VectorRequests[Kind]['answer']

/** Told to all threads: no one is to keep these copies. */
export interface VectorNote {
  drop: number[]
}
