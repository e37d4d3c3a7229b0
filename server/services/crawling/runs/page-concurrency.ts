import { and, count, eq, gte } from 'drizzle-orm'
import type { Queries } from '../../../../db/database'
import { jobs } from '../../../../db/schema/jobs'

/** Pages of one run that are under way at once: while one is fetched, others are read and stored. */
const maxConcurrentPages = 4

/**
 * How many pages a run of this organization may have under way: beside the runs of others, all of its own together have
 * as many as one run has, so that an organization with many sources is no faster than one with a single source.
 */
export async function pageConcurrency(queries: Queries, organizationId: string, now = new Date()): Promise<number> {
  const running = and(eq(jobs.kind, 'crawl-source'), eq(jobs.status, 'running'), gte(jobs.leasedUntil, now))
  const rows = await queries
    .select({ organizationId: jobs.organizationId, runs: count() })
    .from(jobs)
    .where(running)
    .groupBy(jobs.organizationId)
  const own = rows.find((row) => row.organizationId === organizationId)?.runs ?? 1
  return rows.length > 1 ? Math.max(1, Math.floor(maxConcurrentPages / own)) : maxConcurrentPages
}
