import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, inArray, isNotNull, isNull, lt, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { auditLimits } from '../../../contract/values/audit'
import type { Database } from '../../../db/database'
import { auditEvents } from '../../../db/schema/audit'
import { runs, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import { settings } from '../../../db/schema/settings'
import { messages, threads } from '../../../db/schema/threads'
import { recordEvent } from '../audit/record-event'
import { deleteThreads } from '../chat/threads/delete-threads'
import { deleteFailedJobs, type JobKind } from '../jobs/jobs'
import { deleteRun, lastFullRun, latestRun } from '../runs/runs'

/** How many of each were deleted; of visitors, threads that lost what is known of theirs. */
export type Deleted = Record<'threads' | 'visitors' | 'runs' | 'events' | 'jobs', number>

type Organization = typeof organizations.$inferSelect

interface Deps {
  db: Database
  log: Pick<Logger, 'info'>
}

const dayMs = 24 * 3_600_000
/** Local time of the server. */
const sweepHour = 3
const batchSize = 200

/** Mails that were rejected for good hold addresses, and strangers can cause them. */
const failedMailDays = 1
const mailJobs: JobKind[] = ['mail-link', 'mail-invitation', 'mail-notice', 'mail-sign-in']
const lastSweep = 'retention.last-sweep'

/** Deletes what is older than organizations, or the product, want to keep it. */
export function createRetention({ db, log }: Deps) {
  /** Sweeps once a night, at the first call after three o'clock. A sweep that was interrupted is repeated. */
  async function runDue(signal: AbortSignal, now = new Date()): Promise<void> {
    const night = dayOf(new Date(now.getTime() - sweepHour * 3_600_000))
    const [row] = await db.read.select().from(settings).where(eq(settings.name, lastSweep))
    if (row?.value === night) return
    const deleted = await sweep(signal, now)
    if (signal.aborted) return
    const value = { name: lastSweep, value: night }
    await db.writeOne((tx) =>
      tx.insert(settings).values(value).onConflictDoUpdate({ target: settings.name, set: value }),
    )
    log.info(deleted, 'Old data was deleted')
  }

  /** Deletes in short transactions all that is too old at `now`. Returns how much. */
  async function sweep(signal: AbortSignal, now = new Date()): Promise<Deleted> {
    const total: Deleted = { threads: 0, visitors: 0, runs: 0, events: 0, jobs: 0 }
    for (const organization of await db.read.select().from(organizations).where(isNull(organizations.deletedAt))) {
      if (signal.aborted) return total
      const deleted = await sweepOrganization(organization, signal, now)
      for (const name of ['threads', 'visitors', 'runs', 'events'] as const) total[name] += deleted[name]
      // Requests go on between two organizations.
      await nextTurn()
    }
    total.events += await deleteEvents(isOfNone(), before(now, auditLimits.days))
    total.jobs += await deleteFailedJobs(db, mailJobs, before(now, failedMailDays))
    total.jobs += await deleteFailedJobs(db, null, before(now, auditLimits.days))
    return total
  }

  async function sweepOrganization(organization: Organization, signal: AbortSignal, now: Date) {
    const { id, name, threadDays, visitorDataDays, runDays, auditDays } = organization
    const deleted = {
      threads: threadDays === null ? 0 : await deleteThreads(db, areOld(id, before(now, threadDays)), { signal }),
      visitors: visitorDataDays === null ? 0 : await forgetVisitors(id, before(now, visitorDataDays), signal),
      runs: runDays === null ? 0 : await deleteRuns(id, before(now, runDays), signal),
      events: await deleteEvents(eq(auditEvents.organizationId, id), before(now, auditDays)),
    }
    const changes = Object.entries(deleted)
      .filter(([, count]) => count > 0)
      .map(([field, count]) => ({ field, to: String(count) }))
    if (changes.length > 0) {
      const event = { organizationId: id, action: 'retention.applied', subject: { id, name }, changes } as const
      await db.write((tx) => recordEvent(tx, 'schedule', event))
    }
    return deleted
  }

  /** Removes what is stored of the visitors of old threads: address, browser, page and ids. */
  async function forgetVisitors(organizationId: string, limit: Date, signal: AbortSignal): Promise<number> {
    const condition = and(areOld(organizationId, limit), knowsVisitor())
    let count = 0
    while (!signal.aborted) {
      const rows = await db.read.select({ id: threads.id }).from(threads).where(condition).limit(batchSize)
      if (rows.length === 0) break
      const ids = rows.map(({ id }) => id)
      await db.write((tx) => tx.update(threads).set(unknownVisitor).where(inArray(threads.id, ids)))
      count += ids.length
      await nextTurn()
    }
    return count
  }

  /** Deletes the reports of old runs, except the last of each source, which the source shows. */
  async function deleteRuns(organizationId: string, limit: Date, signal: AbortSignal): Promise<number> {
    const rows = await db.read
      .selectDistinct({ id: sources.id })
      .from(sources)
      .innerJoin(runs, eq(runs.sourceId, sources.id))
      .where(and(eq(sources.organizationId, organizationId), lt(runs.finishedAt, limit)))
    let count = 0
    for (const { id } of rows) {
      const kept = [await lastFullRun(db.read, id), await latestRun(db.read, id)].flatMap((run) => run?.id ?? [])
      const isOld = and(eq(runs.sourceId, id), lt(runs.finishedAt, limit), notInArray(runs.id, kept))
      for (const run of await db.read.select({ id: runs.id }).from(runs).where(isOld)) {
        if (signal.aborted) return count
        await deleteRun(db, run.id)
        count += 1
      }
      await nextTurn()
    }
    return count
  }

  async function deleteEvents(condition: SQL, limit: Date): Promise<number> {
    const isOld = and(condition, lt(auditEvents.createdAt, limit))
    const count = await db.read.$count(auditEvents, isOld)
    if (count > 0) await db.writeOne((tx) => tx.delete(auditEvents).where(isOld))
    return count
  }

  /** Events of the installation, and of deleted organizations. */
  function isOfNone(): SQL {
    const { id, deletedAt } = organizations
    const isOf = and(eq(id, auditEvents.organizationId), isNull(deletedAt))
    return notExists(db.read.select({ id }).from(organizations).where(isOf))
  }

  /** Threads without a message since `limit`. */
  function areOld(organizationId: string, limit: Date): SQL | undefined {
    const isRecent = sql`exists (select 1 from ${messages} where ${messages.threadId} = ${threads.id} and ${messages.createdAt} >= ${limit.getTime()})`
    return and(eq(threads.organizationId, organizationId), lt(threads.createdAt, limit), sql`not ${isRecent}`)
  }

  return { runDue, sweep }
}

const unknownVisitor = {
  metaOrigin: null,
  metaIp: null,
  metaUserAgent: null,
  externalUserId: null,
  externalUserEmail: null,
  externalSessionId: null,
}

function knowsVisitor(): SQL | undefined {
  const columns = Object.keys(unknownVisitor) as (keyof typeof unknownVisitor)[]
  return or(...columns.map((column) => isNotNull(threads[column])))
}

function before(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs)
}

/** The local day, such as 2026-01-31. */
function dayOf(time: Date): string {
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
