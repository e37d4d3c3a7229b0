import { and, asc, count, eq, inArray, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses, visits } from '../../../../db/schema/addresses'
import { collections, sources } from '../../../../db/schema/collections'
import type { Organizations } from '../../organizations/organizations'
import type { AddressRow, RunContext } from '../../runs/run-context'
import { hasOpenVisit, isClaimed, isOpen, isWaiting, type VisitRow } from '../../runs/visits'
import { addUse, leftInMonth, refund } from '../../usage/quota'
import { createAddressQueue } from './enqueue-addresses'

export type Frontier = ReturnType<typeof createFrontier>

/** An address that this process visits. */
export interface Visit extends VisitRow {
  address: AddressRow
}

/** The visits of runs. The table is the only state, so that a restart continues where it was. */
export function createFrontier({ db, organizations }: { db: Database; organizations: Organizations }) {
  /** Releases what earlier holders of the run claimed; visiting it again does not count as a second crawl. */
  async function releaseClaims(run: RunContext): Promise<void> {
    await run.db.write(async (tx) => {
      const stale = and(eq(visits.runId, run.runId), isClaimed(), lt(visits.epoch, run.epoch))
      const claims = await tx.select({ claimedAt: visits.claimedAt }).from(visits).where(stale)
      if (claims.length === 0) return
      await tx.update(visits).set({ claimedAt: null, epoch: null }).where(stale)
      for (const claim of claims) await refundCrawl(tx, run, claim)
    })
  }

  /**
   * Claims up to `max` visits that are due, in the order of discovery, and counts them as crawls of the month: those that
   * wait for the end of the run, or the others. 'out-of-crawls' where the plan allows no more this month.
   */
  async function claim(
    { db, source, runId, epoch }: RunContext,
    max: number,
    kind: 'regular' | 'last' = 'regular',
  ): Promise<Visit[] | 'out-of-crawls'> {
    const now = new Date()
    return db.writeAlone(source.organizationId, async (tx) => {
      const { crawls } = await organizations.planOf(tx, source.organizationId)
      const limit = Math.min(max, await leftInMonth(tx, source.organizationId, 'crawls', crawls, now))
      const isDue = or(isNull(visits.dueAt), lte(visits.dueAt, now))
      const next = await tx
        .select({ visit: visits, address: addresses })
        .from(visits)
        .innerJoin(addresses, eq(addresses.id, visits.addressId))
        .where(and(eq(visits.runId, runId), isWaiting(), isDue, kind === 'last' ? isForLast() : not(isForLast())))
        .orderBy(asc(visits.depth), asc(visits.foundAt), asc(visits.addressId))
        .limit(Math.max(1, limit))
      if (limit === 0) return next.length > 0 ? 'out-of-crawls' : []
      if (next.length === 0) return []
      const ids = next.map(({ visit }) => visit.addressId)
      await tx
        .update(visits)
        .set({ claimedAt: now, epoch })
        .where(and(eq(visits.runId, runId), inArray(visits.addressId, ids)))
      await addUse(tx, source.organizationId, 'crawls', next.length, now)
      return next.map(({ visit, address }) => ({ ...visit, claimedAt: now, epoch, address }))
    })
  }

  /** When the next visit is due; null without one that waits. */
  async function nextDue({ runId }: RunContext): Promise<Date | null> {
    const [row] = await db.read
      .select({ dueAt: visits.dueAt })
      .from(visits)
      .where(and(eq(visits.runId, runId), isWaiting()))
      .orderBy(sql`${visits.dueAt} asc nulls first`)
      .limit(1)
    return row ? (row.dueAt ?? new Date(0)) : null
  }

  /** Whether a visit of the run has no outcome, claimed or not. */
  async function hasOpen({ runId }: RunContext, queries: Queries = db.read): Promise<boolean> {
    const open = and(eq(visits.runId, runId), isOpen())
    return (await queries.select({ id: visits.addressId }).from(visits).where(open).limit(1)).length > 0
  }

  /** Number of stored addresses beyond the limit. */
  async function countOverLimit(sourceId: string): Promise<number> {
    const overLimit = [eq(addresses.status, 'limit'), eq(addresses.reason, 'over-limit')]
    const [row] = await db.read
      .select({ total: count() })
      .from(addresses)
      .leftJoin(visits, hasOpenVisit())
      .where(and(eq(addresses.sourceId, sourceId), ...overLimit, isNull(visits.runId)))
    return row?.total ?? 0
  }

  return { ...createAddressQueue({ organizations }), releaseClaims, claim, nextDue, hasOpen, countOverLimit }
}

/** Visits that wait for the end of the run, when this machine has less to do. */
function isForLast(): SQL {
  return sql`coalesce(${visits.reason}, '') = 'extraction-timeout'`
}

/** Gives back the crawl of a claimed visit that did not ask the site, to the month that counted it. */
export function refundCrawl(
  tx: Transaction,
  { source }: RunContext,
  { claimedAt }: Pick<VisitRow, 'claimedAt'>,
): Promise<void> {
  return refund(tx, source.organizationId, 'crawls', 1, claimedAt ?? new Date())
}

/**
 * The claimed visit as it is stored now: another page may have merged its address. Null where it is over or given back,
 * and where its source or collection is deleted.
 */
export async function findClaimed(tx: Transaction, run: RunContext, { addressId }: Visit): Promise<Visit | null> {
  const claimed = and(
    eq(visits.runId, run.runId),
    eq(visits.addressId, addressId),
    isClaimed(),
    eq(visits.epoch, run.epoch),
    isNull(sources.deletedAt),
    isNull(collections.deletedAt),
  )
  const [row] = await tx
    .select({ visit: visits, address: addresses })
    .from(visits)
    .innerJoin(addresses, eq(addresses.id, visits.addressId))
    .innerJoin(sources, eq(sources.id, addresses.sourceId))
    .innerJoin(collections, eq(collections.id, addresses.collectionId))
    .where(claimed)
  return row ? { ...row.visit, address: row.address } : null
}
