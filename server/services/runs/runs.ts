import { and, desc, eq, isNotNull, ne, notInArray } from 'drizzle-orm'
import type { Queries, Transaction } from '../../../db/database'
import { runs } from '../../../db/schema/collections'
import { crawlLimits } from '../../engine/limits'
import { enqueue } from '../jobs/jobs'

export type RunRow = typeof runs.$inferSelect

type SourceKeys = { id: string; organizationId: string }

/** Creates a run of the source, enqueues its job and deletes the oldest reports. Returns the run's id. */
export async function createRun(tx: Transaction, source: SourceKeys, kind: RunRow['kind']): Promise<string> {
  const discoveredAt = kind === 'address' ? new Date() : null
  const [run] = await tx.insert(runs).values({ sourceId: source.id, kind, discoveredAt }).returning({ id: runs.id })
  if (!run) throw new Error('The run was not stored.')
  const latest = tx
    .select({ id: runs.id })
    .from(runs)
    .where(eq(runs.sourceId, source.id))
    .orderBy(desc(runs.startedAt), desc(runs.id))
    .limit(crawlLimits.runReports)
  // The source shows its last whole run, however many addresses were retried since.
  const fullRun = (await lastFullRun(tx, source.id))?.id ?? run.id
  await tx.delete(runs).where(and(eq(runs.sourceId, source.id), notInArray(runs.id, latest), ne(runs.id, fullRun)))
  await enqueueRun(tx, source, run.id)
  return run.id
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
