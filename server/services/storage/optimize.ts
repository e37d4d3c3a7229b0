import { setTimeout as sleep } from 'node:timers/promises'
import { asc, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Database, Queries } from '../../../db/database'
import { engine } from '../../../db/engine'
import { fragments, textIndexBacklog } from '../../../db/schema/addresses'
import { collections } from '../../../db/schema/collections'
import { AppError } from '../../errors'

interface Deps {
  db: Database
  databaseFile: string
  /** Merges the segments of a collection's keyword index; null where the index is on a server of its own. */
  mergeSegments: ((collectionId: string) => Promise<number>) | null
  textReindexing: { indexNext(): Promise<number> }
}

export type OptimizeStep = 'keyword index' | 'statistics' | 'free space' | 'rebuilding the keyword index'
/** Counts collections, fragments, or megabytes of free space. */
export type OnProgress = (step: OptimizeStep, done: number, total: number) => void

/** Sizes in bytes. */
export interface FileSpace {
  bytes: number
  /** Free pages inside the file. */
  free: number
  /** Whether free pages can be given back while the database is in use. */
  shrinks: boolean
}

export interface OptimizeReport {
  before: number
  after: number
  /** Segments of the keyword index that were merged. */
  merged: number
  /** Free bytes that the file keeps, because only a stopped server can give them back. */
  kept: number
}

const pagesPerStep = 256
const pauseMs = 5
/** Free space that is left for new content. */
const maxFreeShare = 0.2
const minFreeBytes = 16 * 2 ** 20
/** Rows of an index that the statistics look at. */
const analysisLimit = 1_000

/** Keeps the file of SQLite small and quick. PostgreSQL and OpenSearch do this by themselves. */
export function createOptimizer({ db, databaseFile, mergeSegments, textReindexing }: Deps) {
  /** Does everything that can be done while a server runs; `isAlone` if none does. Throws conflict with PostgreSQL. */
  async function optimize(
    { isAlone, rebuildsIndex }: { isAlone: boolean; rebuildsIndex: boolean },
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<OptimizeReport> {
    if (engine !== 'sqlite')
      throw new AppError('conflict', 'PostgreSQL and OpenSearch optimize themselves. This command is for one machine.')
    const before = await space()
    if (rebuildsIndex) await rebuildIndex(onProgress, signal)
    const merged = await mergeAll(onProgress, signal)
    onProgress('statistics', 0, 1)
    await db.write(async (tx) => {
      await tx.execute(sql.raw(`pragma analysis_limit = ${analysisLimit}`))
      await tx.execute(sql`analyze`)
    })
    if (before.shrinks) await shrink(0, onProgress, signal)
    else if (isAlone) {
      onProgress('free space', 0, 1)
      // With PostgreSQL, the driver of SQLite is not loaded.
      const { vacuumSqlite } = await import('../../../db/sqlite')
      vacuumSqlite(databaseFile)
    }
    const after = await space()
    return { before: before.bytes, after: after.bytes, merged, kept: before.shrinks || isAlone ? 0 : after.free }
  }

  /** Gives back free space beyond a fifth of the file, as after the deletion of an organization. */
  async function sweep(signal: AbortSignal): Promise<void> {
    if (engine !== 'sqlite') return
    const { bytes, free, shrinks } = await space()
    const spare = Math.max(minFreeBytes, bytes * maxFreeShare)
    if (shrinks && free > spare) await shrink(spare, () => {}, signal)
  }

  async function shrink(spare: number, onProgress: OnProgress, signal: AbortSignal): Promise<void> {
    const first = (await space()).free - spare
    for (let left = first; left > 0; ) {
      signal.throwIfAborted()
      onProgress('free space', Math.round((first - left) / 2 ** 20), Math.round(first / 2 ** 20))
      // Each step is a short transaction, so that others can write between them.
      await db.write((tx) => tx.execute(sql.raw(`pragma incremental_vacuum(${pagesPerStep})`)))
      const next = (await space()).free - spare
      // Nothing more can be moved.
      if (next >= left) return
      left = next
      await sleep(pauseMs)
    }
  }

  async function mergeAll(onProgress: OnProgress, signal: AbortSignal): Promise<number> {
    if (!mergeSegments) return 0
    const rows = await db.read
      .select({ id: collections.id })
      .from(collections)
      .where(isNull(collections.deletedAt))
      .orderBy(asc(collections.id))
    let merged = 0
    for (const [done, { id }] of rows.entries()) {
      signal.throwIfAborted()
      onProgress('keyword index', done, rows.length)
      merged += await mergeSegments(id)
    }
    return merged
  }

  /** Indexes the texts of all fragments again. If it is interrupted, the server does the rest after its next start. */
  async function rebuildIndex(onProgress: OnProgress, signal: AbortSignal): Promise<void> {
    const listed = db.read.select({ key: textIndexBacklog.key }).from(textIndexBacklog)
    await db.write((tx) =>
      tx
        .insert(textIndexBacklog)
        .select(tx.select({ key: fragments.key }).from(fragments).where(notInArray(fragments.key, listed))),
    )
    const total = await db.read.$count(textIndexBacklog)
    for (let done = 0; done < total; ) {
      signal.throwIfAborted()
      onProgress('rebuilding the keyword index', done, total)
      const indexed = await textReindexing.indexNext()
      if (indexed === 0) return
      done += indexed
    }
  }

  async function space(): Promise<FileSpace> {
    const [pageBytes, pages, free, mode] = await Promise.all(
      ['page_size', 'page_count', 'freelist_count', 'auto_vacuum'].map((name) =>
        pragma(db.read, sql.raw(`select ${name} as value from pragma_${name}`)),
      ),
    )
    const bytesOf = (count = 0) => count * (pageBytes ?? 0)
    return { bytes: bytesOf(pages), free: bytesOf(free), shrinks: mode === 2 }
  }

  return { optimize, sweep, space }
}

async function pragma(read: Queries, query: SQL): Promise<number> {
  const [row] = await read.execute<{ value: number }>(query)
  return Number(row?.value ?? 0)
}
