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
import type { Database, Queries, Transaction } from '../../../db/database'
import { isConstraintError } from '../../../db/errors'
import { jobs, workers } from '../../../db/schema/jobs'
import { skipLocked } from '../../../db/sql'

export const jobKinds = [
  'crawl-source',
  'detect-boilerplate',
  'embed-fragments',
  'reindex-text',
  'sweep-collection',
  'sweep-source',
] as const
export type JobKind = (typeof jobKinds)[number]
export type JobRow = typeof jobs.$inferSelect

/** How long a claim holds without a heartbeat, in milliseconds. */
export const leaseMs = 15_000

/** Puts a job in the same transaction as the change that asks for it. With `dedupeKey`, one waits at most. */
export async function enqueue(
  tx: Transaction,
  job: {
    kind: JobKind
    payload: Record<string, string>
    /** Whose work it is: organizations take turns. */
    organizationId?: string
    dedupeKey?: string
    runAfter?: Date
  },
): Promise<void> {
  await tx.insert(jobs).values(job).onConflictDoNothing()
}

/**
 * Takes up to `count` jobs that are due, or whose worker let its lease run out; none that is `atWork` in this process.
 * An organization that has fewer of its jobs running goes before one that has more; then the longest waiting one. With
 * `newcomersOnly` an organization that has one of the kind running gets none.
 */
export function claimJobs(
  database: Database,
  claim: {
    worker: string
    count: number
    kinds: JobKind[]
    newcomersOnly?: boolean
    atWork?: string[]
    now?: Date
  },
): Promise<JobRow[]> {
  const now = claim.now ?? new Date()
  const running = aliasedTable(jobs, 'running')
  const sameKey = and(
    eq(running.status, 'running'),
    eq(running.dedupeKey, jobs.dedupeKey),
    ne(running.id, jobs.id),
    gte(running.leasedUntil, now),
  )
  return database.writeOne((tx) => {
    const isOfTheSame = and(
      eq(running.status, 'running'),
      eq(running.kind, jobs.kind),
      eq(running.organizationId, jobs.organizationId),
      gte(running.leasedUntil, now),
    )
    const ofTheSame = tx.select({ many: count() }).from(running).where(isOfTheSame)
    const anyOfTheSame = tx.select({ id: running.id }).from(running).where(isOfTheSame)
    const due = tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(
          inArray(jobs.kind, claim.kinds),
          claim.atWork?.length ? notInArray(jobs.id, claim.atWork) : undefined,
          // Of one key only one runs at a time, too.
          notExists(tx.select({ id: running.id }).from(running).where(sameKey)),
          claim.newcomersOnly ? notExists(anyOfTheSame) : undefined,
          or(
            and(eq(jobs.status, 'queued'), lte(jobs.runAfter, now)),
            and(eq(jobs.status, 'running'), lt(jobs.leasedUntil, now)),
          ),
        ),
      )
      .orderBy(sql`(${ofTheSame})`, asc(jobs.runAfter), asc(jobs.id))
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

/** Keeps the worker's leases of the jobs that it is at, and shows that it lives. */
export async function heartbeat(database: Database, worker: string, atWork: string[], now = new Date()): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .update(jobs)
      .set({ leasedUntil: new Date(now.getTime() + leaseMs) })
      .where(and(eq(jobs.worker, worker), eq(jobs.status, 'running'), inArray(jobs.id, atWork)))
    await tx.update(workers).set({ heartbeatAt: now }).where(eq(workers.id, worker))
  })
}

/** Whether another job of this kind is due and waits for a place. */
export async function othersWait(queries: Queries, kind: JobKind, now = new Date()): Promise<boolean> {
  const waiting = and(eq(jobs.kind, kind), eq(jobs.status, 'queued'), lte(jobs.runAfter, now))
  const rows = await queries.select({ id: jobs.id }).from(jobs).where(waiting).limit(1)
  return rows.length > 0
}

export async function finishJob(database: Database, id: string, worker: string): Promise<void> {
  await database.writeOne((tx) => tx.delete(jobs).where(and(eq(jobs.id, id), eq(jobs.worker, worker))))
}

/** Puts a claimed job back, to run after `delayMs`; where another of its key waits already, this one is done. */
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
    await database.writeOne((tx) => tx.update(jobs).set(set).where(stillOf(job)))
  } catch (error) {
    if (!isConstraintError(error, 'unique')) throw error
    await database.writeOne((tx) => tx.delete(jobs).where(stillOf(job)))
  }
}

/** Ends a claimed job for good; its row stays, for the operator. */
export async function failJob(database: Database, job: JobRow, error: string): Promise<void> {
  const set = { status: 'failed' as const, worker: null, leasedUntil: null, error, attempts: job.attempts + 1 }
  await database.writeOne((tx) => tx.update(jobs).set(set).where(stillOf(job)))
}

/** Not where another worker has taken the job since, after its lease ran out. */
function stillOf(job: JobRow) {
  return and(eq(jobs.id, job.id), eq(jobs.worker, job.worker ?? ''))
}

/** Registers this process. Jobs of workers that are known to be dead go back at once, not when their lease ends. */
export async function registerWorker(
  database: Database,
  worker: { id: string; hostname: string; pid: number; kind: 'server' | 'cli' },
  isDead: (other: { id: string; hostname: string; pid: number }) => boolean,
): Promise<void> {
  const others = await database.read.select().from(workers)
  const dead = others.filter((other) => isDead(other)).map((other) => other.id)
  await database.write(async (tx) => {
    for (const id of dead) {
      // The lease ends now; the next claim takes the job, beside one of the same key that may wait.
      await tx
        .update(jobs)
        .set({ leasedUntil: new Date(0) })
        .where(and(eq(jobs.worker, id), eq(jobs.status, 'running')))
      await tx.delete(workers).where(eq(workers.id, id))
    }
    await tx.insert(workers).values({ ...worker, heartbeatAt: new Date() })
  })
}

export async function unregisterWorker(database: Database, id: string): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .update(jobs)
      .set({ leasedUntil: new Date(0) })
      .where(and(eq(jobs.worker, id), eq(jobs.status, 'running')))
    await tx.delete(workers).where(eq(workers.id, id))
  })
}

/** Whether a server runs jobs on this database. */
export async function serverIsAlive(queries: Queries, now = Date.now()): Promise<boolean> {
  return (await serversAlive(queries, now)) > 0
}

/** How many servers run jobs on this database, this one included. */
export function serversAlive(queries: Queries, now = Date.now()): Promise<number> {
  return queries.$count(workers, and(eq(workers.kind, 'server'), sql`${workers.heartbeatAt} > ${now - leaseMs}`))
}
