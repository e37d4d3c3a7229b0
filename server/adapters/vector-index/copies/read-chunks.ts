import type SQLite from 'better-sqlite3'
import type { Chunk } from './collection-copy'
import { blockSize } from './layout'

/** Reads the chunks of the vectors of sets. */
export interface ChunkReader {
  /** Null for a set without vectors. */
  revisionOf(setId: string): number | null
  /** All chunks of a set with their revisions. */
  list(setId: string): [chunkId: number, revision: number][]
  read(chunkId: number): Chunk
  sizeOf(setId: string): CollectionSize
  /** About `count` vectors of chunks spread over the set, chunk by chunk. */
  sample(setId: string, count: number): Iterable<Float32Array[]>
  /** Runs `work` in a transaction, so that its reads see one state. */
  inTransaction<Result>(work: () => Result): Result
}

export interface CollectionSize {
  chunks: number
  /** 0 without vectors. */
  dimensions: number
  /** Numbers of a projected vector; 0 for a set without a projection. */
  projectedWidth: number
}

const bytesPerFloat = 4

/** Prepares its statements on the connection. */
export function createChunkReader(connection: SQLite.Database): ChunkReader {
  const revision = connection.prepare<[string], number>(revisionQuery).pluck()
  const list = connection.prepare<[string], [number, number]>(listQuery).raw()
  const read = connection.prepare<[number, number], [number, number, Buffer]>(readQuery).raw()
  const size = connection.prepare<[{ setId: string }], [number, number | null, number | null]>(sizeQuery).raw()

  return {
    revisionOf: (setId) => revision.get(setId) ?? null,
    list: (setId) => list.all(setId),
    read: readChunk,
    sizeOf(setId) {
      const [chunks, bytes, matrixBytes] = size.get({ setId }) ?? [0, 0, 0]
      const dimensions = (bytes ?? 0) / bytesPerFloat
      return { chunks, dimensions, projectedWidth: dimensions > 0 ? (matrixBytes ?? 0) / (bytes ?? 1) : 0 }
    },
    *sample(setId, count) {
      const ids = list.all(setId).map(([chunkId]) => chunkId)
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
      chunk.set(place - first, { key: Math.abs(key), vector: floatsOf(vector) })
    return chunk
  }
}

const revisionQuery = 'select revision from vector_revisions where set_id = ?'
const listQuery = 'select chunk_id, revision from vector_chunks where set_id = ?'
const readQuery = 'select key, place, vector from fragment_vectors where place between ? and ?'
const sizeQuery = `select count, bytes,
    (select length(matrix) from vector_projections where set_id = @setId and dimensions * ${bytesPerFloat} = bytes)
  from (select count,
      (select length(vector) from fragment_vectors where place between last * ${blockSize} and last * ${blockSize} + ${blockSize - 1} limit 1) bytes
    from (select count(*) count, max(chunk_id) last from vector_chunks where set_id = @setId))`

function floatsOf({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  const isAligned = byteOffset % bytesPerFloat === 0
  return isAligned
    ? new Float32Array(buffer, byteOffset, byteLength / bytesPerFloat)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
