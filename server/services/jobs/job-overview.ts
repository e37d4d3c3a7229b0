import { asc, count, desc, eq, min } from 'drizzle-orm'
import type { JobsOfKind } from '../../../contract/views/health'
import type { Queries } from '../../../db/database'
import { jobs } from '../../../db/schema/jobs'

/** Counts the jobs that have not finished, by kind. */
export async function jobsByKind(queries: Queries): Promise<JobsOfKind[]> {
  const rows = await queries
    .select({
      kind: jobs.kind,
      status: jobs.status,
      many: count(),
      oldest: min(jobs.createdAt),
      lease: min(jobs.leasedUntil),
    })
    .from(jobs)
    .groupBy(jobs.kind, jobs.status)
    .orderBy(asc(jobs.kind))
  const failures = await queries
    .select({ kind: jobs.kind, error: jobs.error })
    .from(jobs)
    .where(eq(jobs.status, 'failed'))
    .orderBy(desc(jobs.createdAt))
    .limit(100)
  return [...new Set(rows.map(({ kind }) => kind))].map((kind) => {
    const ofKind = rows.filter((row) => row.kind === kind)
    const count = (status: string) => ofKind.find((row) => row.status === status)?.many ?? 0
    const lease = ofKind.find(({ status }) => status === 'running')?.lease
    const oldest = Math.min(...ofKind.map((row) => row.oldest?.getTime() ?? Number.POSITIVE_INFINITY))
    return {
      kind,
      queued: count('queued'),
      running: count('running'),
      failed: count('failed'),
      oldest_at: new Date(oldest).toISOString(),
      oldest_lease: lease?.toISOString() ?? null,
      error: failures.find((failure) => failure.kind === kind)?.error ?? null,
    }
  })
}
