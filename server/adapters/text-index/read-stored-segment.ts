import type SQLite from 'better-sqlite3'
import { bytesOfChunks, placeOf, withoutBuffer } from './segment-chunks'
import type { MergeSource } from './segments/merge-segments'
import { openSegment } from './segments/segment'

const chunksQuery = 'select bytes from text_segment_chunks where place between ? and ? order by place'
const deletionsQuery = 'select fragment from text_deletions where segment_id = ?'

/** Reads a whole segment with its deletions; null if it has gone. */
export function readStoredSegment(connection: SQLite.Database, id: number): MergeSource | null {
  const chunks = connection.prepare<[number, number], Buffer>(chunksQuery).pluck()
  const deletions = connection.prepare<[number], number>(deletionsQuery).pluck()
  const bytes = chunks.all(placeOf(id, 0), placeOf(id + 1, 0) - 1).map(withoutBuffer)
  if (bytes.length === 0) return null
  const segment = openSegment(bytesOfChunks(id, (place) => bytes[place - placeOf(id, 0)] ?? new Uint8Array()))
  return { segment, deleted: new Set(deletions.all(id)) }
}
