import { and, eq, isNull } from 'drizzle-orm'
import type { ReasonCode } from '../../../../contract/reasons'
import type { Database } from '../../../../db/database'
import { collections, runs, sources } from '../../../../db/schema/collections'
import type { SiteAccess } from '../../../engine/ports'
import type { Sealer } from '../../../sealing'
import type { Indexes } from '../../fragments/fragments'
import { othersWait } from '../../jobs/jobs'
import { accessOf } from '../../sources/source-settings'
import type { SiteShares } from '../boilerplate/boilerplate'
import type { Frontier } from '../frontier/frontier'
import { isKnown, mayGiveWayTo } from '../pages/canonicals'
import { createOutcomeStore } from '../pages/store-outcome'
import { createPageStore } from '../pages/store-page'
import { moveSource } from '../transitions'
import { lanesOf } from './page-concurrency'
import type { CrawlWork } from './run-context'
import { addCounts } from './run-stats'

/** What stands between a run and its next address. */
export type Standing = 'going' | 'paused' | 'cancelled' | 'gone'

/**
 * The stored side of a crawl. Every step is one transaction that leaves the run where a restart can go on:
 * an address is done in a run when its row says so.
 */
export function createCrawls({
  db,
  indexes,
  frontier,
  siteShares,
  sealer,
}: {
  db: Database
  indexes: Indexes
  frontier: Frontier
  siteShares: SiteShares
  sealer: Sealer
}) {
  /** The run to go on with, or null when it is over: finished, held, or its source deleted. */
  async function resume(sourceId: string, runId: string): Promise<CrawlWork | null> {
    const [found] = await db.read
      .select({ source: sources, run: runs })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(
        and(
          eq(runs.id, runId),
          eq(sources.id, sourceId),
          isNull(sources.deletedAt),
          isNull(collections.deletedAt),
          isNull(runs.finishedAt),
        ),
      )
    if (!found) return null
    const { source, run } = found
    const share = await siteShares.known(sourceId)
    return { runId, kind: run.kind, discovered: run.discoveredAt !== null, source, share }
  }

  async function standing({ source, runId }: CrawlWork): Promise<Standing> {
    const [found] = await db.read
      .select({
        cancelledAt: runs.cancelledAt,
        pausedAt: sources.pausedAt,
        deletedAt: sources.deletedAt,
        collectionDeletedAt: collections.deletedAt,
      })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(and(eq(runs.id, runId), eq(sources.id, source.id)))
    if (!found || found.deletedAt || found.collectionDeletedAt) return 'gone'
    if (found.cancelledAt) return 'cancelled'
    return found.pausedAt ? 'paused' : 'going'
  }

  /** What opens the source's site; see `source-settings.ts`. */
  function access({ source }: CrawlWork): SiteAccess | null {
    return accessOf(source, sealer)
  }

  /** The look for addresses begins, or begins anew after it was cut off: what it counted is counted again. */
  async function startLooking({ runId }: CrawlWork): Promise<void> {
    const unfound = and(eq(runs.id, runId), isNull(runs.discoveredAt))
    await db.write((tx) => tx.update(runs).set({ ignored: 0 }).where(unfound))
  }

  /** Discovery is done, and the fetching starts; a run that only looks for addresses ends with `finish`. */
  async function discovered(work: CrawlWork, problem: { reason: ReasonCode; message: string } | null): Promise<void> {
    if (work.kind === 'full') await frontier.startFetching(work)
    await db.write(async (tx) => {
      await tx
        .update(runs)
        .set({ discoveredAt: new Date(), ...problem })
        .where(eq(runs.id, work.runId))
      if (work.kind === 'full') await moveSource(tx, work.source.id, 'found')
    })
  }

  async function settleShares(work: CrawlWork, signal: AbortSignal): Promise<void> {
    const added = await siteShares.settle(work.source.id, signal)
    if (added > 0) await db.write((tx) => addCounts(tx, work, { fragments: added }))
  }

  return {
    resume,
    standing,
    access,
    startLooking,
    discovered,
    ...createPageStore({ db, indexes, frontier }),
    ...createOutcomeStore({ db, indexes, frontier }),
    mayGiveWayTo: (work: CrawlWork, page: string, named: string) => mayGiveWayTo(db.read, work, page, named),
    isKnown: (work: CrawlWork, url: string) => isKnown(db.read, work, url),
    /** Whether another source's run waits for a place. */
    isAwaited: () => othersWait(db.read, 'crawl-source'),
    /** Takes what stands on most pages out of them; the last step of a run. */
    settle: settleShares,
    lanes: ({ source }: CrawlWork) => lanesOf(db.read, source.organizationId),
    // What the job asks of the list itself.
    list: frontier.list,
    release: frontier.release,
    claim: frontier.claim,
    nextDue: frontier.nextDue,
  }
}
