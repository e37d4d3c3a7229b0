import { and, count, eq, gte } from 'drizzle-orm'
import type { Queries } from '../../../../db/database'
import { jobs } from '../../../../db/schema/jobs'

/** While one page is fetched, others are extracted and stored. */
const maxConcurrentPages = 4

/**
 * How many pages a run of this organization may process at once. While other organizations crawl, the runs of one
 * organization share the number of a single run, so that many sources are not crawled faster than one.
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
