import { and, eq, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { isConstraintError } from '../../../db/errors'
import { jobs } from '../../../db/schema/jobs'
import { type JobKind, type JobRow, leaseMs } from './jobs'

interface Claim {
  worker: string
  kind: JobKind
  /** Claims nothing for organizations that have a running job of the kind. */
  newcomersOnly?: boolean
  /** Jobs that this process is running, which it must not claim again after a late heartbeat. */
  excludedIds?: string[]
  now?: Date
}

/**
 * Claims a job that is due, or a running one whose lease has expired; null if there is none. A job of the organization with
 * the fewest running jobs of the kind comes first, then the one that has been due longest. The cost grows with the number
 * of organizations that wait, not with the number of their jobs.
 */
export async function claimJob(database: Database, claim: Claim): Promise<JobRow | null> {
  const now = claim.now ?? new Date()
  const set = { status: 'running' as const, worker: claim.worker, leasedUntil: new Date(now.getTime() + leaseMs) }
  // PostgreSQL checks this again when another worker has changed the job meanwhile: claimed it, or postponed it, too.
  const isUnclaimed = or(
    and(eq(jobs.status, 'queued'), lte(jobs.runAfter, now)),
    and(eq(jobs.status, 'running'), lt(jobs.leasedUntil, now)),
  )
  const next = nextJob({ ...claim, now })
  for (;;) {
    // An idle process only reads, because each write makes all readers drop the pages that they have cached.
    const [due] = await database.read.select({ id: sql<string>`next.id` }).from(sql`(${next}) next`)
    if (!due) return null
    try {
      const where = and(eq(jobs.id, sql`(${next})`), isUnclaimed)
      const [job] = await database.writeOne((tx) => tx.update(jobs).set(set).where(where).returning())
      if (job) return job
    } catch (error) {
      // Another process was faster: it has claimed a job of the same key.
      if (!isConstraintError(error, 'unique')) throw error
    }
  }
}

/**
 * The id of the next job. A recursive query steps from one waiting organization to the next, and the index has all that is
 * read of each.
 */
function nextJob({ kind, newcomersOnly = false, excludedIds = [], now }: Claim & { now: Date }): SQL {
  const time = sql.param(now, jobs.runAfter)
  const queued = sql`j.status = 'queued' and j.kind = ${kind}`
  const nextOrganization = (after: SQL) =>
    sql`(select j.organization_id from jobs j where ${queued} and ${after} order by j.organization_id limit 1)`
  /** Jobs with the same key do not run concurrently. */
  const firstDue = (column: SQL, organization: SQL) => sql`
    select ${column} from jobs j where ${queued} and ${organization} and j.run_after <= ${time}
      and not exists (select 1 from jobs r where r.status = 'running' and r.dedupe_key = j.dedupe_key)
    order by j.run_after, j.id limit 1`
  const runningOf = (organizationId: SQL) => sql`(
    select count(*) from jobs r
    where r.status = 'running' and r.kind = ${kind} and r.organization_id = ${organizationId} and r.leased_until >= ${time}
  )`
  const excluded = sql.join(
    excludedIds.map((id) => sql`${id}`),
    sql`, `,
  )
  return sql`
    with recursive waiting(organization_id) as (
      select ${nextOrganization(sql`j.organization_id is not null`)}
      union all
      select ${nextOrganization(sql`j.organization_id > waiting.organization_id`)}
      from waiting where waiting.organization_id is not null
    ),
    candidates(id, organization_id, running, run_after) as materialized (
      select cast(null as text), organization_id, ${runningOf(sql`waiting.organization_id`)},
        (${firstDue(sql`j.run_after`, sql`j.organization_id = waiting.organization_id`)})
      from waiting where organization_id is not null
      union all
      select id, null, 0, run_after from (${firstDue(sql`j.id, j.run_after`, sql`j.organization_id is null`)}) unowned
      union all
      select j.id, null, ${runningOf(sql`j.organization_id`)}, j.run_after from jobs j
      where j.status = 'running' and j.kind = ${kind} and j.leased_until < ${time}
        ${excludedIds.length > 0 ? sql`and j.id not in (${excluded})` : sql``}
    )
    select coalesce(id, (${firstDue(sql`j.id`, sql`j.organization_id = candidates.organization_id`)})) as id
    from candidates where run_after is not null ${newcomersOnly ? sql`and running = 0` : sql``}
    order by running, run_after, organization_id limit 1`
}
