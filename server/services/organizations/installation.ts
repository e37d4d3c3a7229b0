import { and, asc, eq } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { type Inspection, inspectSqlite } from '../../../db/inspect'
import { jobs } from '../../../db/schema/jobs'
import { organizations } from '../../../db/schema/organizations'

/** Every organization of this data folder, the oldest first: for the command line, which belongs to none. */
export async function listOrganizations(queries: Queries): Promise<{ id: string; name: string }[]> {
  return queries
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
}

/** Why the job of a run was given up, or null while it may still end. */
export async function crawlFailure(queries: Queries, sourceId: string, runId: string): Promise<string | null> {
  const failed = and(eq(jobs.status, 'failed'), eq(jobs.dedupeKey, `crawl-source:${sourceId}`))
  const rows = await queries.select({ payload: jobs.payload, error: jobs.error }).from(jobs).where(failed)
  const row = rows.find(({ payload }) => payload.runId === runId)
  return row ? (row.error ?? 'The run was given up.') : null
}

/** What is wrong with the database file, and how its tables stand to this version. Throws for what is no database. */
export function inspectDatabase(file: string): Inspection {
  return inspectSqlite(file, { full: false })
}
