import { and, eq, inArray, lt, lte } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../db/database'
import { isConstraintError } from '../../../db/errors'
import { jobs } from '../../../db/schema/jobs'

export const jobKinds = [
  'crawl-source',
  'detect-boilerplate',
  'embed-fragments',
  'change-model',
  'reindex-text',
  'purge-collection',
  'purge-source',
  'purge-organization',
  'mail-invitation',
  'mail-link',
  'mail-notice',
  'mail-sign-in',
] as const
export type JobKind = (typeof jobKinds)[number]
export type JobRow = typeof jobs.$inferSelect

/** Time without a heartbeat after which a claim expires. */
export const leaseMs = 15_000

/** Enqueues a job in the transaction of the change that needs it. At most one job per `dedupeKey` is queued. */
export async function enqueue(
  tx: Transaction,
  job: {
    kind: JobKind
    payload: Record<string, string>
    /** The organization that it works for; organizations take turns. */
    organizationId?: string
    dedupeKey?: string
    runAfter?: Date
  },
): Promise<void> {
  await tx.insert(jobs).values(job).onConflictDoNothing()
}

/** Whether a queued job of this kind is due. */
export async function hasDueJobs(queries: Queries, kind: JobKind, now = new Date()): Promise<boolean> {
  const waiting = and(eq(jobs.kind, kind), eq(jobs.status, 'queued'), lte(jobs.runAfter, now))
  const rows = await queries.select({ id: jobs.id }).from(jobs).where(waiting).limit(1)
  return rows.length > 0
}

/** Deletes a job unless another worker has claimed it since. */
export async function finishJob(database: Database, id: string, worker: string): Promise<void> {
  await database.writeOne((tx) => tx.delete(jobs).where(and(eq(jobs.id, id), eq(jobs.worker, worker))))
}

/** Requeues a claimed job, to run after `delayMs`. Deletes it instead if a job of the same key is queued. */
export async function requeue(
  database: Database,
  job: JobRow,
  change: { delayMs: number; error: string | null; attempts: number },
): Promise<void> {
  const set = {
    status: 'queued' as const,
    worker: null,
    leasedUntil: null,
    error: change.error,
    attempts: change.attempts,
    runAfter: new Date(Date.now() + change.delayMs),
  }
  try {
    await database.writeOne((tx) => tx.update(jobs).set(set).where(isClaimOf(job)))
  } catch (error) {
    if (!isConstraintError(error, 'unique')) throw error
    await database.writeOne((tx) => tx.delete(jobs).where(isClaimOf(job)))
  }
}

/** Whether the job is still claimed as it was: no other worker took it after its lease had expired. */
export async function isStillClaimed(database: Database, job: JobRow): Promise<boolean> {
  return (await database.read.$count(jobs, isClaimOf(job))) > 0
}

/** Marks a claimed job as failed for good. Its row remains, for the operator. */
export async function failJob(database: Database, job: JobRow, error: string): Promise<void> {
  const set = { status: 'failed' as const, worker: null, leasedUntil: null, error, attempts: job.attempts + 1 }
  await database.writeOne((tx) => tx.update(jobs).set(set).where(isClaimOf(job)))
}

/** Counts the jobs of a kind that have not finished or failed. */
export function countPendingJobs(queries: Queries, kind: JobKind): Promise<number> {
  return queries.$count(jobs, and(eq(jobs.kind, kind), inArray(jobs.status, ['queued', 'running'])))
}

/**
 * Deletes the jobs of these kinds, or of all, that failed for good and were enqueued before this time. Returns how many.
 */
export async function deleteFailedJobs(database: Database, kinds: JobKind[] | null, before: Date): Promise<number> {
  const isOld = and(
    kinds ? inArray(jobs.kind, kinds) : undefined,
    eq(jobs.status, 'failed'),
    lt(jobs.createdAt, before),
  )
  const deleted = await database.writeOne((tx) => tx.delete(jobs).where(isOld).returning({ id: jobs.id }))
  return deleted.length
}

/** Excludes a job that another worker has claimed since, after the lease had expired. */
function isClaimOf(job: JobRow) {
  return and(eq(jobs.id, job.id), eq(jobs.worker, job.worker ?? ''))
}
