import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, count, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../contract/reasons'
import type { Database, Queries } from '../../db/database'
import { addresses } from '../../db/schema/addresses'
import { createPatterns } from '../engine/crawl/patterns'
import { countCrawls, crawlsLeft, giveBackCrawls } from './crawl-usage'
import type { ClaimedAddress, CrawlWork } from './crawl-work'
import { clearFragments } from './fragment-sweeps'
import { type Indexes, replaceFragments } from './fragments'
import { createListing } from './frontier-listing'
import { beforeThis, outsideReasons, refusalOf } from './frontier-rules'
import type { Organizations } from './organizations'
import { addCounts } from './run-counts'
import { addressTransitions, moveAddresses } from './states'
import { readTwins } from './twins'

const rowsAtOnce = 100

/** The list of a run: what it reads is what the table says, so a restart goes on where the last process ended. */
export function createFrontier({
  db,
  indexes,
  organizations,
}: {
  db: Database
  indexes: Indexes
  organizations: Organizations
}) {
  const { list, roomFor } = createListing({ db, organizations })

  /** Discovery is done: what is known from runs before is read again, too, unless it is left out by now. */
  async function startFetching(work: CrawlWork): Promise<void> {
    const { source, runId } = work
    const patterns = createPatterns(source)
    for (let after = ''; ; ) {
      const rows = await db.read
        .select()
        .from(addresses)
        .where(and(eq(addresses.sourceId, source.id), sql`${addresses.id} > ${after}`, beforeThis(runId)))
        .orderBy(asc(addresses.id))
        .limit(rowsAtOnce)
      const last = rows.at(-1)
      if (!last) return
      after = last.id
      await breathe()
      const judged = rows.map((row) => ({ row, outside: refusalOf(work, patterns, row) }))
      const admitted = await dueOf(
        work,
        judged.filter(({ outside }) => !outside).map(({ row }) => row),
      )
      for (const { row, outside } of judged) {
        const reason = outside ?? (admitted.has(row.id) ? null : ('over-limit' as const))
        if (reason && row.reason !== reason) await leaveOut(work, row, reason)
      }
    }
  }

  /** Puts known addresses on the run's list; those that were not in until now only as far as there is room. */
  async function dueOf({ source, runId }: CrawlWork, rows: ClaimedAddress[]): Promise<Set<string>> {
    return db.write(async (tx) => {
      const entering = rows.filter(({ status, reason }) => status === 'limit' || outsideReasons.includes(reason ?? ''))
      const room = entering.length === 0 ? 0 : await roomFor(tx, source, entering.length)
      const kept = new Set(entering.slice(room).map(({ id }) => id))
      const due = rows.map(({ id }) => id).filter((id) => !kept.has(id))
      const afresh = { runId, nextFetchAt: null, failures: 0 }
      if (due.length > 0) await moveAddresses(tx, inArray(addresses.id, due), 'due', afresh)
      return new Set(due)
    })
  }

  /** It is not in from now on, and what it had goes. */
  async function leaveOut(work: CrawlWork, row: ClaimedAddress, reason: ReasonCode): Promise<void> {
    await clearFragments(db, indexes, row)
    await db.write(async (tx) => {
      await replaceFragments(tx, indexes, row, [])
      await readTwins(tx, row, work.runId)
      await addCounts(tx, work, { withdrawn: row.fragments > 0 ? 1 : 0 })
      const forgotten = { fragments: 0, textHash: null, etag: null, lastModified: null }
      const why = { reason, message: reasonText(reason) }
      await moveAddresses(tx, eq(addresses.id, row.id), reason === 'over-limit' ? 'over-limit' : 'left-out', {
        ...forgotten,
        ...why,
      })
    })
  }

  /** After a crash: what was under way is to be read again, and counts as one crawl. */
  async function release({ source }: CrawlWork): Promise<void> {
    await db.write(async (tx) => {
      const underWay = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'crawling'))
      const many = await tx.$count(addresses, underWay)
      if (many === 0) return
      await moveAddresses(tx, eq(addresses.sourceId, source.id), 'released')
      await giveBackCrawls(tx, source.organizationId, many)
    })
  }

  /**
   * Takes the next addresses of the run, in the order in which they were found, and counts them as crawls of the month.
   * 'used-up' when the plan allows no more this month.
   */
  async function claim({ source, runId }: CrawlWork, many: number): Promise<ClaimedAddress[] | 'used-up'> {
    const now = new Date()
    return db.write(async (tx) => {
      const { crawls } = await organizations.planOf(tx, source.organizationId)
      const most = Math.min(many, await crawlsLeft(tx, source.organizationId, crawls, now))
      const next = tx
        .select({ id: addresses.id })
        .from(addresses)
        .where(
          and(
            eq(addresses.sourceId, source.id),
            eq(addresses.status, 'pending'),
            eq(addresses.runId, runId),
            or(isNull(addresses.nextFetchAt), lte(addresses.nextFetchAt, now)),
          ),
        )
        .orderBy(asc(addresses.depth), asc(addresses.createdAt), asc(addresses.id))
        .limit(Math.max(1, most))
      const { from, to } = addressTransitions.claimed
      if (most === 0) return (await next).length > 0 ? 'used-up' : []
      const rows = await tx
        .update(addresses)
        .set({ status: to })
        .where(and(inArray(addresses.id, next), inArray(addresses.status, [...from])))
        .returning()
      if (rows.length > 0) await countCrawls(tx, source.organizationId, rows.length, now)
      return rows
    })
  }

  /** When the next waiting address is due; null when none waits. */
  async function nextDue({ source, runId }: CrawlWork): Promise<Date | null> {
    const [row] = await db.read
      .select({ at: addresses.nextFetchAt })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.runId, runId), eq(addresses.status, 'pending')))
      .orderBy(sql`${addresses.nextFetchAt} asc nulls first`)
      .limit(1)
    return row ? (row.at ?? new Date(0)) : null
  }

  /** Whether addresses of this run wait, and are due by now or later. */
  async function isWaiting({ source, runId }: CrawlWork, queries: Queries = db.read): Promise<boolean> {
    const waiting = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'pending'), eq(addresses.runId, runId))
    return (await queries.select({ id: addresses.id }).from(addresses).where(waiting).limit(1)).length > 0
  }

  /** How many addresses are not in, by reason: of all, or of those alone that a person asked for. */
  async function refusals({ source, kind, runId }: CrawlWork): Promise<Record<string, number>> {
    const ofRun = kind === 'address' ? eq(addresses.runId, runId) : undefined
    const rows = await db.read
      .select({ reason: addresses.reason, many: count() })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), ofRun, isNotNull(addresses.reason), eq(addresses.fragments, 0)))
      .groupBy(addresses.reason)
    return Object.fromEntries(rows.map(({ reason, many }) => [reason ?? '', many]))
  }

  /** Addresses that are out over the limit of addresses. */
  function countOver(sourceId: string): Promise<number> {
    const over = and(
      eq(addresses.sourceId, sourceId),
      eq(addresses.status, 'limit'),
      eq(addresses.reason, 'over-limit'),
    )
    return db.read.$count(addresses, over)
  }

  return { list, startFetching, release, claim, nextDue, isWaiting, roomFor, refusals, countOver }
}

export type Frontier = ReturnType<typeof createFrontier>
