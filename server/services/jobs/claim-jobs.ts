import {
  aliasedTable,
  and,
  asc,
  count,
  eq,
  gte,
  inArray,
  lt,
  lte,
  ne,
  notExists,
  notInArray,
  or,
  sql,
} from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { jobs } from '../../../db/schema/jobs'
import { skipLocked } from '../../../db/sql'
import { type JobKind, type JobRow, leaseMs } from './jobs'

interface Claim {
  worker: string
  /** Maximum number of jobs. */
  count: number
  kinds: JobKind[]
  /** Claims nothing for organizations that have a running job of the same kind. */
  newcomersOnly?: boolean
  /** Jobs that this process is running, which it must not claim again after a late heartbeat. */
  excludedIds?: string[]
  now?: Date
}

/**
 * Claims jobs that are due, and running ones whose lease has expired. Jobs of the organization with the fewest running
 * jobs of the kind come first, then those that have been due longest.
 */
export function claimJobs(database: Database, claim: Claim): Promise<JobRow[]> {
  const now = claim.now ?? new Date()
  const running = aliasedTable(jobs, 'running')
  const isRunning = and(eq(running.status, 'running'), gte(running.leasedUntil, now))
  const hasSameKey = and(isRunning, eq(running.dedupeKey, jobs.dedupeKey), ne(running.id, jobs.id))
  const hasSameKind = and(isRunning, eq(running.kind, jobs.kind), eq(running.organizationId, jobs.organizationId))
  return database.writeOne((tx) => {
    const runningOf = (condition: typeof isRunning) => tx.select({ id: running.id }).from(running).where(condition)
    const runningCount = tx.select({ count: count() }).from(running).where(hasSameKind)
    const due = tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          inArray(jobs.kind, claim.kinds),
          claim.excludedIds?.length ? notInArray(jobs.id, claim.excludedIds) : undefined,
          // Jobs with the same key do not run concurrently.
          notExists(runningOf(hasSameKey)),
          claim.newcomersOnly ? notExists(runningOf(hasSameKind)) : undefined,
          or(
            and(eq(jobs.status, 'queued'), lte(jobs.runAfter, now)),
            and(eq(jobs.status, 'running'), lt(jobs.leasedUntil, now)),
          ),
        ),
      )
      .orderBy(sql`(${runningCount})`, asc(jobs.runAfter), asc(jobs.id))
      .limit(claim.count)
    return tx
      .update(jobs)
      .set({
        status: 'running',
        worker: claim.worker,
        leasedUntil: new Date(now.getTime() + leaseMs),
      })
      .where(inArray(jobs.id, skipLocked(due)))
      .returning()
  })
}
