import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import type { IndexedText } from '../../engine/ports/search-index'
import { bytesInMemory, placeOf, splitIntoChunks } from './segment-chunks'
import { findKeys } from './segment-keys'
import { buildSegment } from './segments/build-segment'
import { type MergeSource, mergeSegments } from './segments/merge-segments'
import { openSegment } from './segments/segment'

/** A row of `text_segments`. */
export interface StoredSegment {
  id: number
  fragments: number
  /** Number of its fragments that were deleted since it was written. */
  deleted: number
  first_key: number
  last_key: number
}

/** As many segments with fewer fragments are merged at once; larger ones in the background. */
const segmentsPerMerge = 16
const maxMergedAtOnce = 160

export const segmentColumns = sql.raw('id, fragments, deleted, first_key, last_key')

/** Indexes fragments of one collection, replacing those with the same keys. */
export async function addFragments(tx: Transaction, collectionId: string, fragments: IndexedText[]): Promise<void> {
  if (fragments.length === 0) return
  const ordered = [...new Map(fragments.map((fragment) => [fragment.key, fragment])).values()].sort(
    (first, second) => first.key - second.key,
  )
  await removeFragments(
    tx,
    collectionId,
    ordered.map(({ key }) => key),
  )
  await insertWhole(tx, collectionId, buildSegment(ordered))
  await mergeSmall(tx, collectionId)
}

/** Marks fragments of a collection as deleted. Ignores keys that it does not have. */
export async function removeFragments(tx: Transaction, collectionId: string, keys: number[]): Promise<void> {
  if (keys.length === 0) return
  const [first, last] = [Math.min(...keys), Math.max(...keys)]
  const segments = await tx.execute<StoredSegment>(sql`select ${segmentColumns} from text_segments
    where collection_id = ${collectionId} and last_key >= ${BigInt(first)} and first_key <= ${BigInt(last)}`)
  for (const segment of segments) await markDeleted(tx, segment, keys)
}

/** Marks the fragments with these keys in one segment. A segment is deleted with its last fragment. */
export async function markDeleted(tx: Transaction, segment: StoredSegment, keys: number[]): Promise<void> {
  const id = BigInt(segment.id)
  const found = [...(await findKeys(tx, segment, keys)).values()]
  if (found.length === 0) return
  const known = await tx.execute<{ fragment: number }>(sql`select fragment from text_deletions
    where segment_id = ${id} and fragment in (select value from json_each(${JSON.stringify(found)}))`)
  const before = new Set(known.map(({ fragment }) => fragment))
  const added = found.filter((fragment) => !before.has(fragment))
  const deleted = segment.deleted + added.length
  if (deleted === segment.fragments) return deleteSegments(tx, [segment])
  await tx.execute(sql`insert into text_deletions (segment_id, fragment, number)
    select ${id}, value, ${BigInt(segment.deleted + 1)} + key from json_each(${JSON.stringify(added)})`)
  await tx.execute(sql`update text_segments set deleted = ${BigInt(deleted)} where id = ${id}`)
}

async function insertWhole(tx: Transaction, collectionId: string, bytes: Uint8Array): Promise<void> {
  const { id } = await insertSegment(tx, collectionId, bytes)
  await insertChunks(tx, id, splitIntoChunks(bytes), 0)
}

/** Adds a segment without its chunks. Without a collection, no search reads it. */
export async function insertSegment(
  tx: Transaction,
  collectionId: string | null,
  bytes: Uint8Array,
): Promise<StoredSegment> {
  const { header, key } = openSegment(bytesInMemory(bytes))
  const keys = [key(0), key(header.fragments - 1)].map(BigInt)
  const [created] = await tx.execute<StoredSegment>(sql`insert into text_segments
    (collection_id, fragments, first_key, last_key, written_at)
    values (${collectionId}, ${BigInt(header.fragments)}, ${keys[0]}, ${keys[1]}, ${BigInt(Date.now())})
    returning ${segmentColumns}`)
  if (!created) throw new Error('A segment of the text index was not stored.')
  return created
}

/** Adds chunks of a segment, of which the first has the number `first`. */
export async function insertChunks(tx: Transaction, id: number, chunks: Uint8Array[], first: number): Promise<void> {
  for (const [n, chunk] of chunks.entries())
    await tx.execute(
      sql`insert into text_segment_chunks (place, bytes) values (${BigInt(placeOf(id, first + n))}, ${Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)})`,
    )
}

/** Deletes segments with all of their chunks in this transaction. */
export async function deleteSegments(tx: Transaction, segments: Pick<StoredSegment, 'id'>[]): Promise<void> {
  for (const { id } of segments) {
    await tx.execute(sql`delete from text_segment_chunks
      where place between ${BigInt(placeOf(id, 0))} and ${BigInt(placeOf(id + 1, 0) - 1)}`)
    await tx.execute(sql`delete from text_deletions where segment_id = ${BigInt(id)}`)
    await tx.execute(sql`delete from text_segments where id = ${BigInt(id)}`)
  }
}

async function mergeSmall(tx: Transaction, collectionId: string): Promise<void> {
  const segments = await tx.execute<StoredSegment>(sql`select ${segmentColumns} from text_segments
    where collection_id = ${collectionId} and fragments < ${BigInt(maxMergedAtOnce)}`)
  if (segments.length < segmentsPerMerge) return
  const sources: MergeSource[] = []
  for (const segment of segments) sources.push(await readSegment(tx, segment))
  const merged = mergeSegments(sources)
  await deleteSegments(tx, segments)
  if (merged) await insertWhole(tx, collectionId, merged)
}

async function readSegment(tx: Transaction, { id }: StoredSegment): Promise<MergeSource> {
  const chunks = await tx.execute<{ bytes: Uint8Array }>(sql`select bytes from text_segment_chunks
    where place between ${BigInt(placeOf(id, 0))} and ${BigInt(placeOf(id + 1, 0) - 1)} order by place`)
  const deletions = await tx.execute<{ fragment: number }>(
    sql`select fragment from text_deletions where segment_id = ${BigInt(id)}`,
  )
  return {
    segment: openSegment(bytesInMemory(Buffer.concat(chunks.map(({ bytes }) => bytes)))),
    deleted: new Set(deletions.map(({ fragment }) => fragment)),
  }
}
