import { and, asc, eq } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { type Inspection, inspectSqlite } from '../../../db/inspect'
import { jobs } from '../../../db/schema/jobs'
import { organizations } from '../../../db/schema/organizations'

/** Lists all organizations, oldest first, for the command line, which does not act for a particular one. */
export async function listOrganizations(queries: Queries): Promise<{ id: string; name: string }[]> {
  return queries
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
}

/** Returns the error of a run whose job failed for good; null while it may still finish. */
export async function crawlFailure(queries: Queries, sourceId: string, runId: string): Promise<string | null> {
  const failed = and(eq(jobs.status, 'failed'), eq(jobs.dedupeKey, `crawl-source:${sourceId}`))
  const rows = await queries.select({ payload: jobs.payload, error: jobs.error }).from(jobs).where(failed)
  const row = rows.find(({ payload }) => payload.runId === runId)
  return row ? (row.error ?? 'The run was given up.') : null
}

/** Returns damage of the database file, and how its schema compares to this version. Throws if it is not a database. */
export function inspectDatabase(file: string): Inspection {
  return inspectSqlite(file, { full: false })
}
