import type SQLite from 'better-sqlite3'
import type { Chunk } from './collection-copy'
import { blockSize } from './layout'

/** Reads the chunks of the vectors of collections. */
export interface ChunkReader {
  /** Null for a collection without vectors. */
  revisionOf(collectionId: string): number | null
  /** All chunks of a collection with their revisions. */
  list(collectionId: string): [chunkId: number, revision: number][]
  read(chunkId: number): Chunk
  sizeOf(collectionId: string): CollectionSize
  /** About `count` vectors of chunks spread over the collection, chunk by chunk. */
  sample(collectionId: string, count: number): Iterable<Float32Array[]>
  /** Runs `work` in a transaction, so that its reads see one state. */
  inTransaction<Result>(work: () => Result): Result
}

export interface CollectionSize {
  chunks: number
  /** 0 without vectors. */
  dimensions: number
  /** Numbers of a projected vector; 0 for a collection without a projection. */
  projectedWidth: number
}

const bytesPerFloat = 4

/** Prepares its statements on the connection. */
export function createChunkReader(connection: SQLite.Database): ChunkReader {
  const revision = connection.prepare<[string], number>(revisionQuery).pluck()
  const list = connection.prepare<[string], [number, number]>(listQuery).raw()
  const read = connection.prepare<[number, number], [number, number, Buffer]>(readQuery).raw()
  const size = connection.prepare<[{ collectionId: string }], [number, number | null, number | null]>(sizeQuery).raw()

  return {
    revisionOf: (collectionId) => revision.get(collectionId) ?? null,
    list: (collectionId) => list.all(collectionId),
    read: readChunk,
    sizeOf(collectionId) {
      const [chunks, bytes, matrixBytes] = size.get({ collectionId }) ?? [0, 0, 0]
      const dimensions = (bytes ?? 0) / bytesPerFloat
      return { chunks, dimensions, projectedWidth: dimensions > 0 ? (matrixBytes ?? 0) / (bytes ?? 1) : 0 }
    },
    *sample(collectionId, count) {
      const ids = list.all(collectionId).map(([chunkId]) => chunkId)
      const step = Math.max(1, Math.floor(ids.length / Math.ceil(count / blockSize)))
      for (let n = 0, read = 0; n < ids.length && read < count; n += step) {
        const vectors = [...readChunk(ids[n] ?? 0).values()].map(({ vector }) => vector)
        read += vectors.length
        yield vectors
      }
    },
    inTransaction: (work) => connection.transaction(work)(),
  }

  function readChunk(chunkId: number): Chunk {
    const first = chunkId * blockSize
    const chunk = new Map<number, { key: number; vector: Float32Array }>()
    for (const [key, place, vector] of read.all(first, first + blockSize - 1))
      chunk.set(place - first, { key, vector: floatsOf(vector) })
    return chunk
  }
}

const revisionQuery = 'select revision from vector_revisions where collection_id = ?'
const listQuery = 'select chunk_id, revision from vector_chunks where collection_id = ?'
const readQuery = 'select key, place, vector from fragment_vectors where place between ? and ?'
const sizeQuery = `select count, bytes,
    (select length(matrix) from vector_projections where collection_id = @collectionId and dimensions * ${bytesPerFloat} = bytes)
  from (select count,
      (select length(vector) from fragment_vectors where place between last * ${blockSize} and last * ${blockSize} + ${blockSize - 1} limit 1) bytes
    from (select count(*) count, max(chunk_id) last from vector_chunks where collection_id = @collectionId))`

function floatsOf({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  const isAligned = byteOffset % bytesPerFloat === 0
  return isAligned
    ? new Float32Array(buffer, byteOffset, byteLength / bytesPerFloat)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
