import { and, asc, count, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { isNote } from '../../../../contract/reasons'
import type { Database, Queries } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { Indexes } from '../../fragments/fragments'
import type { Organizations } from '../../organizations/organizations'
import { countCrawls, crawlsLeft, refundCrawls } from '../../usage/crawls'
import type { AddressRow, RunContext } from '../runs/run-context'
import { createRunStart } from '../runs/start-run'
import { addressTransitions, transitionAddresses } from '../transitions'
import { createAddressQueue } from './enqueue-addresses'

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
  const { list, roomFor } = createAddressQueue({ db, organizations })
  const { startFetching } = createRunStart({ db, indexes, roomFor })

  /** After a crash: what was under way is to be read again, and counts as one crawl. */
  async function release({ source }: RunContext): Promise<void> {
    await db.write(async (tx) => {
      const underWay = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'crawling'))
      const many = await tx.$count(addresses, underWay)
      if (many === 0) return
      await transitionAddresses(tx, eq(addresses.sourceId, source.id), 'released')
      await refundCrawls(tx, source.organizationId, many)
    })
  }

  /**
   * Takes the next addresses of the run, in the order in which they were found, and counts them as crawls of the month.
   * 'used-up' when the plan allows no more this month.
   */
  async function claim({ source, runId }: RunContext, many: number): Promise<AddressRow[] | 'used-up'> {
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
  async function nextDue({ source, runId }: RunContext): Promise<Date | null> {
    const [row] = await db.read
      .select({ at: addresses.nextFetchAt })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.runId, runId), eq(addresses.status, 'pending')))
      .orderBy(sql`${addresses.nextFetchAt} asc nulls first`)
      .limit(1)
    return row ? (row.at ?? new Date(0)) : null
  }

  /** Whether addresses of this run wait, and are due by now or later. */
  async function isWaiting({ source, runId }: RunContext, queries: Queries = db.read): Promise<boolean> {
    const waiting = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'pending'), eq(addresses.runId, runId))
    return (await queries.select({ id: addresses.id }).from(addresses).where(waiting).limit(1)).length > 0
  }

  /** How many addresses are out, or failed, by reason: of all, or of those alone that a person asked for. */
  async function refusals({ source, kind, runId }: RunContext): Promise<Record<string, number>> {
    const ofRun = kind === 'address' ? eq(addresses.runId, runId) : undefined
    const rows = await db.read
      .select({ reason: addresses.reason, many: count() })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), ofRun, isNotNull(addresses.reason)))
      .groupBy(addresses.reason)
    return Object.fromEntries(
      rows.filter(({ reason }) => !isNote(reason)).map(({ reason, many }) => [reason ?? '', many]),
    )
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
