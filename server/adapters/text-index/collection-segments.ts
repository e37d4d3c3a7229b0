import type SQLite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { type ChunkCache, openChunkCache } from './chunk-cache'
import { bytesOfChunks, withoutBuffer } from './segment-chunks'
import { openSegment, type Segment } from './segments/segment'

/** A segment with the fragments that were deleted since it was written. */
export interface LiveSegment {
  segment: Segment
  /** 1 for each deleted fragment; null if there are none. */
  deleted: Uint8Array | null
  deletions: number
}

export interface CollectionSegments {
  segments: LiveSegment[]
  /** Number of fragments without the deleted ones. */
  fragments: number
  averageLength: number
}

interface Remembered {
  header: Segment['header']
  index: Segment['index']
  deleted: Uint8Array | null
  deletions: number
}

/** Memory for what a thread remembers of segments. */
const maxKnownBytes = 32 * 2 ** 20
const bytesPerSegment = 1_000
const segmentsQuery = 'select id, deleted from text_segments where collection_id = ? order by first_key'
const deletionsQuery = 'select fragment from text_deletions where segment_id = ? and number > ?'
const chunkQuery = 'select bytes from text_segment_chunks where place = ?'

/** Reads the segments of collections on one connection. */
export interface SegmentReader {
  /** Runs `work` on one state of a collection; null for a collection without fragments. */
  read<Result>(collectionId: string, work: (collection: CollectionSegments) => Result): Result | null
}

export function createSegmentReader(connection: SQLite.Database, memory: SharedArrayBuffer): SegmentReader {
  const segments = connection.prepare<[string], [number, number]>(segmentsQuery).raw()
  const deletions = connection.prepare<[number, number], number>(deletionsQuery).pluck()
  const chunk = connection.prepare<[number], Uint8Array>(chunkQuery).pluck()
  const cache = openChunkCache(memory, (place) => withoutBuffer(chunk.get(place) ?? missingChunk(place)))
  const known = new LRUCache<number, Remembered>({
    maxSize: maxKnownBytes,
    sizeCalculation: ({ header, index }) => bytesPerSegment + index.bytes + header.fragments,
  })
  const inTransaction = connection.transaction((work: () => unknown) => work())

  return {
    read<Result>(collectionId: string, work: (collection: CollectionSegments) => Result) {
      try {
        return inTransaction(() => {
          const live = segments.all(collectionId).map(([id, deleted]) => open(id, deleted, cache))
          const collection = describe(live)
          return collection.fragments === 0 ? null : work(collection)
        }) as Result | null
      } finally {
        cache.release()
      }
    },
  }

  function open(id: number, count: number, { read }: ChunkCache): LiveSegment {
    const bytes = bytesOfChunks(id, read)
    let remembered = known.get(id)
    if (!remembered) {
      const { header, index } = openSegment(bytes)
      remembered = { header, index, deleted: null, deletions: 0 }
      known.set(id, remembered)
    }
    if (remembered.deletions < count) {
      remembered.deleted ??= new Uint8Array(remembered.header.fragments)
      for (const fragment of deletions.all(id, remembered.deletions)) remembered.deleted[fragment] = 1
      remembered.deletions = count
    }
    const { header, index, deleted, deletions: number } = remembered
    return { segment: openSegment(bytes, header, index), deleted, deletions: number }
  }

  function describe(live: LiveSegment[]): CollectionSegments {
    let all = 0
    let length = 0
    let fragments = 0
    for (const { segment, deletions } of live) {
      all += segment.header.fragments
      length += segment.header.totalLength
      fragments += segment.header.fragments - deletions
    }
    return { segments: live, fragments, averageLength: Math.max(1, length / Math.max(1, all)) }
  }
}

/** Number of these fragments that are not deleted. */
export function countLive({ deleted }: LiveSegment, fragments: Uint16Array): number {
  if (!deleted) return fragments.length
  let count = 0
  for (const fragment of fragments) if (deleted[fragment] === 0) count++
  return count
}

function missingChunk(place: number): never {
  throw new Error(`The text index lacks the chunk ${place}.`)
}
