import { and, asc, count, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { isNote } from '../../../../contract/reasons'
import type { Database, Queries } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import type { Organizations } from '../../organizations/organizations'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { addressTransitions, transitionAddresses } from '../../runs/transitions'
import { addUse, leftInMonth } from '../../usage/quota'
import { createAddressQueue } from './enqueue-addresses'
import { refundCrawl } from './refund-crawl'

export type Frontier = ReturnType<typeof createFrontier>

/** The addresses that a run has to fetch. The table is the only state, so that a restart continues where it was. */
export function createFrontier({ db, organizations }: { db: Database; organizations: Organizations }) {
  /** After a crash: claimed addresses are fetched again, which does not count as a second crawl. */
  async function releaseClaims({ source }: RunContext): Promise<void> {
    await db.write(async (tx) => {
      const claimed = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'crawling'))
      const claims = await tx.select({ claimedAt: addresses.claimedAt }).from(addresses).where(claimed)
      if (claims.length === 0) return
      await transitionAddresses(tx, eq(addresses.sourceId, source.id), 'released')
      for (const { claimedAt } of claims) await refundCrawl(tx, { ...source, claimedAt })
    })
  }

  /**
   * Claims up to `many` addresses that are due, in the order of discovery, and counts them as crawls of the month.
   * 'out-of-crawls' where the plan allows no more this month.
   */
  async function claim({ source, runId }: RunContext, many: number): Promise<AddressRow[] | 'out-of-crawls'> {
    const now = new Date()
    return db.write(async (tx) => {
      const { crawls } = await organizations.planOf(tx, source.organizationId)
      const limit = Math.min(many, await leftInMonth(tx, source.organizationId, 'crawls', crawls, now))
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
        .limit(Math.max(1, limit))
      const { from, to } = addressTransitions.claimed
      if (limit === 0) return (await next).length > 0 ? 'out-of-crawls' : []
      const rows = await tx
        .update(addresses)
        .set({ status: to, claimedAt: now })
        .where(and(inArray(addresses.id, next), inArray(addresses.status, [...from])))
        .returning()
      if (rows.length > 0) await addUse(tx, source.organizationId, 'crawls', rows.length, now)
      return rows
    })
  }

  /** When the next pending address is due; null without one. */
  async function nextDue({ source, runId }: RunContext): Promise<Date | null> {
    const [row] = await db.read
      .select({ at: addresses.nextFetchAt })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.runId, runId), eq(addresses.status, 'pending')))
      .orderBy(sql`${addresses.nextFetchAt} asc nulls first`)
      .limit(1)
    return row ? (row.at ?? new Date(0)) : null
  }

  async function hasPending({ source, runId }: RunContext, queries: Queries = db.read): Promise<boolean> {
    const pending = and(eq(addresses.sourceId, source.id), eq(addresses.status, 'pending'), eq(addresses.runId, runId))
    return (await queries.select({ id: addresses.id }).from(addresses).where(pending).limit(1)).length > 0
  }

  /** Number of addresses that are not indexed, by reason: of the source, or for a single address of the run. */
  async function countExclusions({ source, kind, runId }: RunContext): Promise<Record<string, number>> {
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

  /** Number of stored addresses beyond the limit. */
  function countOverLimit(sourceId: string): Promise<number> {
    const overLimit = and(
      eq(addresses.sourceId, sourceId),
      eq(addresses.status, 'limit'),
      eq(addresses.reason, 'over-limit'),
    )
    return db.read.$count(addresses, overLimit)
  }

  return {
    ...createAddressQueue({ db, organizations }),
    releaseClaims,
    claim,
    nextDue,
    hasPending,
    countExclusions,
    countOverLimit,
  }
}
