import { and, desc, eq, isNotNull, ne, notInArray } from 'drizzle-orm'
import { type ReasonCode, reasonCodes, reasonText } from '../../../../contract/reasons'
import type { ReasonCount, RunReport } from '../../../../contract/views/run'
import type { Queries, Transaction } from '../../../../db/database'
import { runs } from '../../../../db/schema/collections'
import { crawlLimits } from '../../../engine/limits'
import { enqueue } from '../../jobs/jobs'
import { type Exclusion, parseExclusionKey } from './run-stats'

export type RunRow = typeof runs.$inferSelect

/** Puts a run of the source in line and forgets its oldest reports. Returns the run's id. */
export async function createRun(
  tx: Transaction,
  source: { id: string; organizationId: string },
  kind: RunRow['kind'],
): Promise<string> {
  const discoveredAt = kind === 'address' ? new Date() : null
  const [run] = await tx.insert(runs).values({ sourceId: source.id, kind, discoveredAt }).returning({ id: runs.id })
  if (!run) throw new Error('The run was not stored.')
  const kept = tx
    .select({ id: runs.id })
    .from(runs)
    .where(eq(runs.sourceId, source.id))
    .orderBy(desc(runs.startedAt), desc(runs.id))
    .limit(crawlLimits.runReports)
  // However often single addresses were read since: the source is known by what its last whole run did.
  const whole = (await lastWholeRun(tx, source.id))?.id ?? run.id
  await tx.delete(runs).where(and(eq(runs.sourceId, source.id), notInArray(runs.id, kept), ne(runs.id, whole)))
  await enqueueRun(tx, source, run.id)
  return run.id
}

/** The job of a run; at most one waits for a source. */
export async function enqueueRun(
  tx: Transaction,
  source: { id: string; organizationId: string },
  runId: string,
): Promise<void> {
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

/** The last run that is over and looked at more than a single address. */
export async function lastWholeRun(queries: Queries, sourceId: string): Promise<RunRow | undefined> {
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

export function reportOf(run: RunRow, now = new Date()): RunReport {
  const { id, kind, checked, fetched, unchanged, changed, withdrawn, failed, ignored, bytes, fragments, embedded } = run
  return {
    id,
    kind,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    checked,
    fetched,
    unchanged,
    changed,
    new: run.new,
    withdrawn,
    failed,
    ignored,
    bytes,
    fragments,
    embedded,
    canonicalized: Math.max(0, checked - unchanged - changed - run.new - withdrawn - failed),
    rejected: reasonCounts(run, 'rejected'),
    withdrawals: reasonCounts(run, 'withdrawn'),
    skipped: reasonCounts(run, 'skipped'),
    problem: run.reason && run.message ? { reason: run.reason, message: run.message } : null,
    duration_ms: (run.finishedAt ?? now).getTime() - run.startedAt.getTime(),
    cancelled: run.cancelledAt !== null,
  }
}

/** Most frequent first. */
function reasonCounts({ exclusions }: RunRow, exclusion: Exclusion): ReasonCount[] {
  return Object.entries(exclusions)
    .map(([key, count]) => ({ ...parseExclusionKey(key), count }))
    .filter((one) => one.exclusion === exclusion)
    .map(({ reason, count }) => ({ reason, message: isReason(reason) ? reasonText(reason) : reason, count }))
    .sort((one, other) => other.count - one.count)
}

/** Whether it is a code of this version; earlier ones may have had others. */
export function isReason(text: string): text is ReasonCode {
  return reasonCodes.some((code) => code === text)
}
