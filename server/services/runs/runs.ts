import { and, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../db/database'
import { visits } from '../../../db/schema/addresses'
import { runs } from '../../../db/schema/collections'
import { crawlLimits } from '../../engine/limits'
import { enqueue } from '../jobs/jobs'

export type RunRow = typeof runs.$inferSelect

const batchSize = 500

type SourceKeys = { id: string; organizationId: string }

/** Creates a run of the source and enqueues its job. Returns the run's id. */
export async function createRun(tx: Transaction, source: SourceKeys, kind: RunRow['kind']): Promise<string> {
  const discoveredAt = kind === 'address' ? new Date() : null
  const [run] = await tx.insert(runs).values({ sourceId: source.id, kind, discoveredAt }).returning({ id: runs.id })
  if (!run) throw new Error('The run was not stored.')
  await enqueueRun(tx, source, run.id)
  return run.id
}

/** Deletes the oldest runs of a source, with their reports and visits, in short transactions. */
export async function deleteOldRuns(db: Database, sourceId: string): Promise<void> {
  const all = await newestFirst(db.read, sourceId)
  // The source shows its last whole run, however many addresses were retried since.
  const shown = (await lastFullRun(db.read, sourceId))?.id
  for (const { id } of all.slice(crawlLimits.runReports)) if (id !== shown) await deleteRun(db, id)
}

/** Deletes a run with its visits. */
export async function deleteRun(db: Database, runId: string): Promise<void> {
  for (;;) {
    const rows = await db.read
      .select({ addressId: visits.addressId })
      .from(visits)
      .where(eq(visits.runId, runId))
      .limit(batchSize)
    if (rows.length === 0) break
    const ids = rows.map(({ addressId }) => addressId)
    await db.write((tx) => tx.delete(visits).where(and(eq(visits.runId, runId), inArray(visits.addressId, ids))))
  }
  await db.write((tx) => tx.delete(runs).where(eq(runs.id, runId)))
}

/** Enqueues the job of a run, unless one of the source waits already. */
export async function enqueueRun(tx: Transaction, source: SourceKeys, runId: string): Promise<void> {
  await enqueue(tx, {
    kind: 'crawl-source',
    payload: { sourceId: source.id, runId },
    organizationId: source.organizationId,
    dedupeKey: crawlKey(source.id),
  })
}

export function crawlKey(sourceId: string): string {
  return `crawl-source:${sourceId}`
}

export async function latestRun(queries: Queries, sourceId: string): Promise<RunRow | undefined> {
  const [run] = await newestFirst(queries, sourceId).limit(1)
  return run
}

/** The last finished run of more than a single address. */
export async function lastFullRun(queries: Queries, sourceId: string): Promise<RunRow | undefined> {
  const [run] = await queries
    .select()
    .from(runs)
    .where(and(eq(runs.sourceId, sourceId), ne(runs.kind, 'address'), isNotNull(runs.finishedAt)))
    .orderBy(desc(runs.startedAt), desc(runs.id))
    .limit(1)
  return run
}

export function newestFirst(queries: Queries, sourceId: string) {
  return queries.select().from(runs).where(eq(runs.sourceId, sourceId)).orderBy(desc(runs.startedAt), desc(runs.id))
}
