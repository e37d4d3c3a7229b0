import type SQLite from 'better-sqlite3'
import type { Chunk } from './collection-copy'
import { blockSize } from './layout'

/** Reads the tables in which sqlite-vec 0.1.9 keeps the vectors, and the revisions beside them. */
export interface ChunkReader {
  /** Null for a collection without vectors. */
  revisionOf(collectionId: string): number | null
  /** All chunks of a collection with the revision of each. */
  list(collectionId: string): [chunkId: number, revision: number][]
  read(chunkId: number): Chunk | null
  sizeOf(collectionId: string): CollectionSize
  /** What `work` reads is all of one moment. */
  atOnce<Result>(work: () => Result): Result
}

export interface CollectionSize {
  chunks: number
  /** Numbers of a vector; 0 where there is none. */
  dimensions: number
}

const bytesOfNumber = 4

/** Reads the tables of sqlite-vec 0.1.9 as they are laid out. */
export function createChunkReader(connection: SQLite.Database): ChunkReader {
  const revision = connection.prepare<[string], number>(revisionQuery).pluck()
  const list = connection.prepare<[string], [number, number]>(listQuery).raw()
  const read = connection.prepare<[number], [Buffer, Buffer, Buffer]>(readQuery).raw()
  const size = connection.prepare<[string], [number, number | null]>(sizeQuery).raw()

  return {
    revisionOf: (collectionId) => revision.get(collectionId) ?? null,
    list: (collectionId) => list.all(collectionId),
    read(chunkId) {
      const row = read.get(chunkId)
      if (!row) return null
      const [validity, keys, vectors] = row
      return {
        validity,
        keys: new DataView(keys.buffer, keys.byteOffset, keys.byteLength),
        vectors: numbersOf(vectors),
      }
    },
    sizeOf(collectionId) {
      const [chunks, bytes] = size.get(collectionId) ?? [0, 0]
      return { chunks, dimensions: (bytes ?? 0) / blockSize / bytesOfNumber }
    },
    atOnce: (work) => connection.transaction(work)(),
  }
}

const revisionQuery = 'select revision from vector_revisions where collection_id = ?'
const listQuery = 'select chunk_id, revision from vector_chunks where collection_id = ?'
const readQuery = `select chunk.validity, chunk.rowids, stored.vectors from fragment_vectors_chunks chunk
  join fragment_vectors_vector_chunks00 stored on stored.rowid = chunk.chunk_id where chunk.chunk_id = ?`
const sizeQuery = `select count, (select length(vectors) from fragment_vectors_vector_chunks00 where rowid = last)
  from (select count(*) count, max(chunk_id) last from vector_chunks where collection_id = ?)`

function numbersOf({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  const isAligned = byteOffset % bytesOfNumber === 0
  return isAligned
    ? new Float32Array(buffer, byteOffset, byteLength / bytesOfNumber)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
