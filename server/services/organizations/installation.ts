import { and, asc, count, eq, isNull } from 'drizzle-orm'
import type { Database, Queries } from '../../../db/database'
import { type Inspection, inspectSqlite } from '../../../db/inspect'
import { jobs } from '../../../db/schema/jobs'
import { members, organizations } from '../../../db/schema/organizations'
import { isServerAlive } from '../jobs/workers'

export interface OrganizationSummary {
  id: string
  name: string
  /** Name of the plan. */
  plan: string
  /** How many people belong to it. */
  members: number
  created_at: string
}

/** What concerns the whole installation, for the command line, which does not act for a particular organization. */
export interface Installation {
  /** All organizations, oldest first. */
  organizations(): Promise<OrganizationSummary[]>
  /** Whether a server runs jobs on this database. */
  isServerAlive(): Promise<boolean>
  /** The error of a run whose job failed for good; null while it may still finish. */
  crawlFailure(sourceId: string, runId: string): Promise<string | null>
}

export function createInstallation({ db }: { db: Database }): Installation {
  return {
    organizations: () => listOrganizations(db.read),
    isServerAlive: () => isServerAlive(db.read),
    crawlFailure: (sourceId, runId) => crawlFailure(db.read, sourceId, runId),
  }
}

/** Returns damage of the database file, and how its schema compares to this version. Throws if it is not a database. */
export function inspectDatabase(file: string): Inspection {
  return inspectSqlite(file, { full: false })
}

async function listOrganizations(queries: Queries): Promise<OrganizationSummary[]> {
  const { id, name, plan, createdAt } = organizations
  const rows = await queries
    .select({ id, name, plan, members: count(members.id), createdAt })
    .from(organizations)
    .leftJoin(members, eq(members.organizationId, organizations.id))
    .where(isNull(organizations.deletedAt))
    .groupBy(organizations.id)
    .orderBy(asc(createdAt), asc(id))
  return rows.map(({ createdAt, ...row }) => ({ ...row, created_at: createdAt.toISOString() }))
}

async function crawlFailure(queries: Queries, sourceId: string, runId: string): Promise<string | null> {
  const failed = and(eq(jobs.status, 'failed'), eq(jobs.dedupeKey, `crawl-source:${sourceId}`))
  const rows = await queries.select({ payload: jobs.payload, error: jobs.error }).from(jobs).where(failed)
  const row = rows.find(({ payload }) => payload.runId === runId)
  return row ? (row.error ?? 'The run was abandoned.') : null
}
