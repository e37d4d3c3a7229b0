import { sql } from 'drizzle-orm'
import { check, createdAt, id, index, integer, json, table, text, timestamp, uniqueIndex } from '../columns'

export const jobs = table(
  'jobs',
  {
    id: id(),
    kind: text().notNull(),
    payload: json<Record<string, string>>().notNull(),
    /** Whose work it is: organizations take turns. */
    organizationId: text(),
    status: text({ enum: ['queued', 'running', 'done', 'failed'] })
      .notNull()
      .default('queued'),
    /** At most one waiting job per key. */
    dedupeKey: text(),
    /** How often it failed. Being cut off by the end of a process is no failure of the job. */
    attempts: integer().notNull().default(0),
    /** Plain sentence of the last failure. */
    error: text(),
    runAfter: timestamp()
      .notNull()
      .$defaultFn(() => new Date()),
    leasedUntil: timestamp(),
    worker: text(),
    createdAt: createdAt(),
  },
  (row) => [
    index('jobs_queued').on(row.runAfter).where(sql`${row.status} = 'queued'`),
    index('jobs_running').on(row.leasedUntil).where(sql`${row.status} = 'running'`),
    uniqueIndex('jobs_dedupe_key_unique').on(row.dedupeKey).where(sql`${row.status} = 'queued'`),
    check('jobs_attempts_not_negative', sql`${row.attempts} >= 0`),
  ],
)

/** Processes that run jobs on this database. One whose heartbeat is old has died: its jobs go back. */
export const workers = table('workers', {
  id: text().primaryKey(),
  hostname: text().notNull(),
  pid: integer().notNull(),
  /** 'server' takes every job; 'cli' only what its own command waits for. */
  kind: text({ enum: ['server', 'cli'] }).notNull(),
  startedAt: createdAt(),
  heartbeatAt: timestamp().notNull(),
})
