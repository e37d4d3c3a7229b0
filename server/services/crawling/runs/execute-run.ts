import { and, eq, isNull } from 'drizzle-orm'
import type { ReasonCode } from '../../../../contract/reasons'
import type { Database } from '../../../../db/database'
import { collections, runs, sources } from '../../../../db/schema/collections'
import type { SiteAccess } from '../../../engine/ports'
import type { Sealer } from '../../../sealing'
import type { Indexes } from '../../fragments/fragments'
import { othersWait } from '../../jobs/jobs'
import { accessOf } from '../../sources/source-settings'
import type { BoilerplateService } from '../boilerplate/boilerplate'
import type { Frontier } from '../frontier/frontier'
import { canFollowCanonical, isKnown } from '../pages/canonicals'
import { createOutcomeStore } from '../pages/store-outcome'
import { createPageStore } from '../pages/store-page'
import { transitionSource } from '../transitions'
import { pageConcurrency } from './page-concurrency'
import type { RunContext } from './run-context'
import { addCounts } from './run-stats'

/** What stands between a run and its next address. */
export type RunState = 'going' | 'paused' | 'cancelled' | 'gone'

/**
 * The stored side of a crawl. Every step is one transaction that leaves the run where a restart can go on:
 * an address is done in a run when its row says so.
 */
export function createCrawls({
  db,
  indexes,
  frontier,
  boilerplate,
  sealer,
}: {
  db: Database
  indexes: Indexes
  frontier: Frontier
  boilerplate: BoilerplateService
  sealer: Sealer
}) {
  /** The run to go on with, or null when it is over: finished, held, or its source deleted. */
  async function resume(sourceId: string, runId: string): Promise<RunContext | null> {
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
    const share = await boilerplate.known(sourceId)
    return { runId, kind: run.kind, discovered: run.discoveredAt !== null, source, boilerplate: share }
  }

  async function standing({ source, runId }: RunContext): Promise<RunState> {
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
  function access({ source }: RunContext): SiteAccess | null {
    return accessOf(source, sealer)
  }

  /** The look for addresses begins, or begins anew after it was cut off: what it counted is counted again. */
  async function startLooking({ runId }: RunContext): Promise<void> {
    const unfound = and(eq(runs.id, runId), isNull(runs.discoveredAt))
    await db.write((tx) => tx.update(runs).set({ ignored: 0 }).where(unfound))
  }

  /** Discovery is done, and the fetching starts; a run that only looks for addresses ends with `finish`. */
  async function discovered(work: RunContext, problem: { reason: ReasonCode; message: string } | null): Promise<void> {
    if (work.kind === 'full') await frontier.startFetching(work)
    await db.write(async (tx) => {
      await tx
        .update(runs)
        .set({ discoveredAt: new Date(), ...problem })
        .where(eq(runs.id, work.runId))
      if (work.kind === 'full') await transitionSource(tx, work.source.id, 'found')
    })
  }

  async function settleShares(work: RunContext, signal: AbortSignal): Promise<void> {
    const added = await boilerplate.settle(work.source.id, signal)
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
    canFollowCanonical: (work: RunContext, page: string, named: string) =>
      canFollowCanonical(db.read, work, page, named),
    isKnown: (work: RunContext, url: string) => isKnown(db.read, work, url),
    /** Whether another source's run waits for a place. */
    isAwaited: () => othersWait(db.read, 'crawl-source'),
    /** Takes what stands on most pages out of them; the last step of a run. */
    settle: settleShares,
    lanes: ({ source }: RunContext) => pageConcurrency(db.read, source.organizationId),
    // What the job asks of the list itself.
    list: frontier.list,
    release: frontier.release,
    claim: frontier.claim,
    nextDue: frontier.nextDue,
  }
}
