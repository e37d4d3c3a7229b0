import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'
import { createThreadPool } from '../threads/thread-pool'
import { placeOf, splitIntoChunks } from './segment-chunks'
import { createKeyReader } from './segment-keys'
import {
  deleteSegments,
  insertChunks,
  insertSegment,
  markDeleted,
  type StoredSegment,
  segmentColumns,
} from './segment-store'

/** Segments for a thread to merge. */
export interface MergeRequest {
  ids: number[]
}

export interface MergeResponse {
  /** Null if no fragment is left. */
  bytes: Uint8Array<ArrayBuffer> | null
  /** For each segment, the number of its deletions that were read. */
  deleted: number[]
}

export interface BackgroundMergesOptions {
  database: Database
  file: string
  log?: { warn(details: object, message: string): void }
  /** How often changed collections are examined; 2 s by default. */
  intervalMs?: number
}

export interface BackgroundMerges {
  /** Merges segments of a collection once its changes end, and before if there are many. */
  request(collectionId: string): void
  /** Merges what can be merged of a collection, now. Returns how many merges that took. */
  mergeNow(collectionId: string): Promise<number>
  settle(): Promise<void>
  close(): Promise<void>
}

const defaultIntervalMs = 2_000
/** Segments of similar sizes that are merged while a collection changes, and afterwards. */
const minWhileChanging = 16
const minWhenQuiet = 4
const minOnRequest = 2
/** A segment is merged with those before it if it has at most this many times their fragments. */
const maxGrowth = 2
/** Fragments of the segments that are merged: a merge takes three times their size in memory. */
const maxMergedFragments = 32_768
/** A segment is written again if a larger share of its fragments is deleted. */
const maxDeletedShare = 0.25
const chunksPerTransaction = 8
/** Segments that nobody has finished in this time are deleted. */
const maxWritingMs = 600_000

/** Merges the segments of collections in a thread, which ends when it is idle, and stores the results in small transactions. */
export function createBackgroundMerges({
  database,
  file,
  log,
  intervalMs = defaultIntervalMs,
}: BackgroundMergesOptions): BackgroundMerges {
  const threads = createThreadPool<MergeRequest, MergeResponse | null>({
    thread: 'merge-segments',
    data: { file },
    size: 1,
    idleMs: 1_000,
  })
  const stopping = new AbortController()
  /** Collections that changed since they were last examined. */
  let changed = new Set<string>()
  /** Collections that changed before, and may have segments to merge. */
  let pending = new Set<string>()
  let running: Promise<void> | null = null

  return {
    request(collectionId) {
      changed.add(collectionId)
      start()
    },
    async mergeNow(collectionId) {
      let merges = 0
      while (!stopping.signal.aborted && (await mergeNext(collectionId, minOnRequest))) merges += 1
      return merges
    },
    async settle() {
      await running
    },
    async close() {
      stopping.abort()
      await running
      await threads.close()
    },
  }

  function start(): void {
    if (stopping.signal.aborted) return
    running ??= run()
      .catch((error) => {
        if (!stopping.signal.aborted) log?.warn({ err: error }, 'Segments of the text index could not be merged.')
      })
      .finally(() => {
        running = null
        if (changed.size > 0) start()
      })
  }

  async function run(): Promise<void> {
    while (changed.size + pending.size > 0) {
      await sleep(intervalMs, undefined, { signal: stopping.signal })
      const busy = changed
      const quiet = new Set([...pending].filter((collectionId) => !busy.has(collectionId)))
      changed = new Set()
      pending = busy
      for (const collectionId of [...busy, ...quiet]) {
        const min = busy.has(collectionId) ? minWhileChanging : minWhenQuiet
        while (!stopping.signal.aborted && (await mergeNext(collectionId, min)));
      }
    }
    await deleteUnused()
  }

  /** Returns whether segments were merged. */
  async function mergeNext(collectionId: string, min: number): Promise<boolean> {
    const segments = await database.read.execute<StoredSegment>(
      sql`select ${segmentColumns} from text_segments where collection_id = ${collectionId}`,
    )
    const selected = selectForMerge(segments, min)
    if (selected.length === 0) return false
    const ids = selected.map(({ id }) => id)
    const response = await threads.run({ ids }, { signal: stopping.signal })
    if (!response) return false
    const { bytes, deleted } = response
    const merged = bytes && (await writeUnpublished(bytes))
    const isPublished = await database.write((tx) => publish(tx, collectionId, selected, merged, deleted))
    const unused = isPublished ? selected : merged ? [merged] : []
    for (const { id } of unused) await deleteInSteps(id)
    return isPublished
  }

  /** Writes the chunks of a segment, which no search reads before it is published. */
  async function writeUnpublished(bytes: Uint8Array): Promise<StoredSegment> {
    const created = await database.write((tx) => insertSegment(tx, null, bytes))
    const chunks = splitIntoChunks(bytes)
    try {
      for (let first = 0; first < chunks.length; first += chunksPerTransaction) {
        stopping.signal.throwIfAborted()
        await database.write((tx) =>
          insertChunks(tx, created.id, chunks.slice(first, first + chunksPerTransaction), first),
        )
      }
    } catch (error) {
      // As on a full disk. If this fails, too, it is deleted with the next merges.
      await deleteInSteps(created.id).catch(() => {})
      throw error
    }
    return created
  }

  async function deleteUnused(): Promise<void> {
    const before = Date.now() - maxWritingMs
    const unused = await database.read.execute<{ id: number; written_at: number }>(
      sql`select id, written_at from text_segments where collection_id is null`,
    )
    for (const { id, written_at: writtenAt } of unused) if (writtenAt < before) await deleteInSteps(id)
  }

  async function deleteInSteps(id: number): Promise<void> {
    for (let isDone = false; !isDone; ) {
      stopping.signal.throwIfAborted()
      isDone = await database.write(async (tx) => {
        const rows = await tx.execute<{ place: number }>(sql`delete from text_segment_chunks where place in (
          select place from text_segment_chunks
          where place between ${BigInt(placeOf(id, 0))} and ${BigInt(placeOf(id + 1, 0) - 1)} limit ${BigInt(chunksPerTransaction)})
          returning place`)
        if (rows.length === chunksPerTransaction) return false
        await deleteSegments(tx, [{ id }])
        return true
      })
    }
  }
}

/**
 * Replaces segments by the one that they were merged to, with the deletions since then. False if one of them has gone
 * meanwhile. Those that are replaced belong to no collection any more.
 */
async function publish(
  tx: Transaction,
  collectionId: string,
  sources: StoredSegment[],
  merged: StoredSegment | null,
  deleted: number[],
): Promise<boolean> {
  const ids = sql`select value from json_each(${JSON.stringify(sources.map(({ id }) => id))})`
  const current = await tx.execute<{ id: number }>(
    sql`select id from text_segments where collection_id = ${collectionId} and id in (${ids})`,
  )
  if (current.length < sources.length) return false
  const keys: number[] = []
  for (const [n, source] of sources.entries()) {
    const later = await tx.execute<{ fragment: number }>(sql`select fragment from text_deletions
      where segment_id = ${BigInt(source.id)} and number > ${BigInt(deleted[n] ?? 0)}`)
    const keyAt = createKeyReader(tx, source.id)
    for (const { fragment } of later) keys.push(await keyAt(fragment))
  }
  await tx.execute(sql`update text_segments set collection_id = null where id in (${ids})`)
  if (!merged) return true
  await tx.execute(sql`update text_segments set collection_id = ${collectionId} where id = ${BigInt(merged.id)}`)
  await markDeleted(tx, merged, keys)
  return true
}

/** Chooses at least `min` segments of similar sizes, the smallest first, or one with too many deleted fragments. */
export function selectForMerge(segments: StoredSegment[], min: number): StoredSegment[] {
  const bySize = [...segments].sort((first, second) => liveOf(first) - liveOf(second))
  for (let start = 0; start + min <= bySize.length; start++) {
    const selected = takeSimilar(bySize.slice(start))
    if (selected.length >= min) return selected
  }
  return bySize.filter(({ fragments, deleted }) => deleted > maxDeletedShare * fragments).slice(0, 1)
}

function takeSimilar(bySize: StoredSegment[]): StoredSegment[] {
  const selected: StoredSegment[] = []
  let total = 0
  for (const segment of bySize) {
    const live = liveOf(segment)
    if (total + live > maxMergedFragments || (total > 0 && live > maxGrowth * total)) break
    selected.push(segment)
    total += live
  }
  return selected
}

function liveOf({ fragments, deleted }: StoredSegment): number {
  return fragments - deleted
}
