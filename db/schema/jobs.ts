import { sql } from 'drizzle-orm'
import { check, createdAt, id, index, integer, json, table, text, timestamp, uniqueIndex } from '../columns'

export const jobs = table(
  'jobs',
  {
    id: id(),
    kind: text().notNull(),
    payload: json<Record<string, string>>().notNull(),
    /** The organization that it works for; organizations take turns. */
    organizationId: text(),
    status: text({ enum: ['queued', 'running', 'done', 'failed'] })
      .notNull()
      .default('queued'),
    /** Key of which at most one job is queued and one runs. */
    dedupeKey: text(),
    /** Failures. A job that is interrupted by the end of its process has not failed. */
    attempts: integer().notNull().default(0),
    /** Message of the last failure. */
    error: text(),
    runAfter: timestamp()
      .notNull()
      .$defaultFn(() => new Date()),
    leasedUntil: timestamp(),
    worker: text(),
    createdAt: createdAt(),
  },
  (row) => [
    // With all that a claim reads of each organization.
    index('jobs_waiting')
      .on(row.kind, row.organizationId, row.runAfter, row.id, row.dedupeKey)
      .where(sql`${row.status} = 'queued'`),
    index('jobs_leased').on(row.kind, row.organizationId, row.leasedUntil).where(sql`${row.status} = 'running'`),
    uniqueIndex('jobs_dedupe_key_unique').on(row.dedupeKey).where(sql`${row.status} = 'queued'`),
    uniqueIndex('jobs_running_key_unique').on(row.dedupeKey).where(sql`${row.status} = 'running'`),
    check('jobs_attempts_not_negative', sql`${row.attempts} >= 0`),
  ],
)

/** Processes that run jobs on this database. The jobs of a process with an old heartbeat are requeued. */
export const workers = table('workers', {
  id: text().primaryKey(),
  hostname: text().notNull(),
  pid: integer().notNull(),
  /** 'server' runs every job; 'cli' only those that its command waits for. */
  kind: text({ enum: ['server', 'cli'] }).notNull(),
  startedAt: createdAt(),
  heartbeatAt: timestamp().notNull(),
})
