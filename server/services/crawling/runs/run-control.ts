import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import type { SourceStatus } from '../../../../contract/enumerations'
import type { Paged, Paging } from '../../../../contract/paging'
import { reasonText } from '../../../../contract/reasons'
import type { RunReport } from '../../../../contract/views/run'
import type { Database } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { collections, runs, sources } from '../../../../db/schema/collections'
import { jobs } from '../../../../db/schema/jobs'
import type { Actor } from '../../../actor'
import { crawlLimits } from '../../../engine/limits'
import { AppError } from '../../../errors'
import { authorize, notFound } from '../../../policy'
import { countsTowardLimit, type Organizations } from '../../organizations/organizations'
import { pageOf, rowsBefore } from '../../paging'
import { findSource } from '../../sources/find-source'
import { nextMonthRefresh, type SourceRow } from '../../sources/source-settings'
import { crawlsLeft } from '../../usage/crawls'
import type { Frontier } from '../frontier/frontier'
import { transitionSource } from '../transitions'
import { crawlKey, createRun, enqueueRun, latestRun, newestFirst, type RunRow, reportOf } from './runs'

/** The contract's answer to a refresh. */
export interface RefreshAnswer {
  /** False when nothing was started, or the site could not be read at all. */
  success: boolean
  /** Addresses that the run looks at, as far as they are found. */
  count: number
  /** Addresses over the plan's limit. */
  ignored: number
  /** The month's crawls are used up. */
  crawlLimit: boolean
  status: SourceStatus
}

type Place = [actor: Actor, organizationId: string, collectionId: string, id: string]

const restful: SourceStatus[] = ['fail', 'idle', 'new', 'crawl-limit', 'url-limit']
const lookMs = 100

/** Starts, holds and ends the runs of sources. */
export function createRunControl({
  db,
  organizations,
  frontier,
}: {
  db: Database
  organizations: Organizations
  frontier: Pick<Frontier, 'countOver'>
}) {
  /**
   * Starts a run: with `crawl` it reads the addresses, without it only looks for them. While one is under way it is a
   * conflict, or with `auto` the answer speaks of that run; a paused one goes on. One that is being cancelled, or that
   * reads less than is asked for, is a conflict, too; `auto` waits for its end and starts another, or throws conflict
   * where that takes too long. Waits until the addresses are found, at most `waitMs` (0: not at all): then still_working
   * is thrown and the work goes on.
   */
  async function refresh(
    ...[
      actor,
      organizationId,
      collectionId,
      id,
      { crawl, auto },
      { waitMs = crawlLimits.maxDiscoveryWaitMs, signal } = {},
    ]: [...Place, { crawl: boolean; auto: boolean }, { waitMs?: number; signal?: AbortSignal }?]
  ): Promise<RefreshAnswer> {
    authorize(actor, 'source:edit', organizationId)
    const source = await findSource(db.read, organizationId, collectionId, id)
    const deadline = Date.now() + waitMs
    const kind = crawl ? 'full' : 'discover'
    const held = source.pausedAt ? await latestRun(db.read, id) : undefined
    const isLess = crawl && held !== undefined && held.kind !== 'full' && !isEnding(held)
    if (isLess && !auto)
      throw conflict('A run of this source that reads less is held. Resume or cancel it first, then refresh.')
    let outcome = source.pausedAt ? await goOn(source) : await start(source, kind)
    if (isLess) outcome = 'at-work'
    while (outcome === 'at-work' && auto && Date.now() < deadline && (await isNoneToJoin(id, crawl))) {
      await sleep(lookMs)
      outcome = await start(source, kind)
    }
    if (outcome === 'no-crawls-left')
      return { success: false, count: 0, ignored: 0, crawlLimit: true, status: 'crawl-limit' }
    if (outcome === 'at-work') assertJoinable(await latestRun(db.read, id), { crawl, auto })
    return discovered(id, { waitMs, deadline, signal })
  }

  /** A run that reads less than is asked for, that somebody ends, or that is over by now, is no run to join. */
  async function isNoneToJoin(id: string, crawl: boolean): Promise<boolean> {
    const run = await latestRun(db.read, id)
    return run !== undefined && (run.finishedAt !== null || run.cancelledAt !== null || (crawl && run.kind !== 'full'))
  }

  async function start(source: SourceRow, kind: 'full' | 'discover') {
    return db.write(async (tx) => {
      // A run that was held is at rest, and its end still has to come.
      if (isEnding(await latestRun(tx, source.id))) return 'at-work' as const
      const { crawls } = await organizations.planOf(tx, source.organizationId)
      if (kind === 'full' && (await crawlsLeft(tx, source.organizationId, crawls)) === 0) {
        const refreshDueAt = nextMonthRefresh(source.refreshInterval)
        const why = { reason: 'crawl-limit', message: reasonText('crawl-limit'), refreshDueAt }
        const refused = await transitionSource(tx, source.id, 'no-crawls-left', why, mayStart())
        return refused ? ('no-crawls-left' as const) : ('at-work' as const)
      }
      const moved = await transitionSource(tx, source.id, 'refreshed', kind === 'full' ? atRest : unheld, mayStart())
      if (!moved) return 'at-work' as const
      await createRun(tx, source, kind)
      return 'started' as const
    })
  }

  async function discovered(
    id: string,
    { waitMs, deadline, signal }: { waitMs: number; deadline: number; signal?: AbortSignal },
  ): Promise<RefreshAnswer> {
    for (;;) {
      const [source] = await db.read.select().from(sources).where(eq(sources.id, id))
      const run = await latestRun(db.read, id)
      if (!source || source.deletedAt || !run) throw notFound()
      const isFound = run.finishedAt || source.pausedAt || (run.discoveredAt && run.kind !== 'discover')
      // Who has left is not told anything.
      if (isFound || waitMs === 0 || signal?.aborted) return answerOf(source, run)
      if (Date.now() >= deadline) throw stillWorking()
      await sleep(lookMs)
    }
  }

  async function answerOf({ id, status }: SourceRow, run: RunRow): Promise<RefreshAnswer> {
    const ofRun = run.kind === 'discover' ? countsTowardLimit() : eq(addresses.runId, run.id)
    const count = await db.read.$count(addresses, and(eq(addresses.sourceId, id), ofRun))
    // Until the run ends, those that are kept to be shown are counted where they stand.
    const ignored = run.ignored + (run.finishedAt ? 0 : await frontier.countOver(id))
    return { success: status !== 'fail', count, ignored, crawlLimit: status === 'crawl-limit', status }
  }

  /** Holds the run: what is being read is still stored, the rest waits. At rest nothing happens. */
  async function pause(...[actor, organizationId, collectionId, id]: Place): Promise<void> {
    authorize(actor, 'source:edit', organizationId)
    await findSource(db.read, organizationId, collectionId, id)
    const held = { pausedAt: new Date(), reason: 'paused', message: reasonText('paused') }
    await db.write((tx) => transitionSource(tx, id, 'paused', held))
  }

  /** Goes on where it was held; otherwise nothing happens. */
  async function resume(...[actor, organizationId, collectionId, id]: Place): Promise<void> {
    authorize(actor, 'source:edit', organizationId)
    await goOn(await findSource(db.read, organizationId, collectionId, id))
  }

  async function goOn(source: SourceRow): Promise<'started' | 'at-work'> {
    return db.write(async (tx) => {
      const run = await latestRun(tx, source.id)
      if (!run || run.finishedAt || run.cancelledAt) return 'at-work'
      const isReading = run.discoveredAt && run.kind !== 'discover'
      const cause = isReading ? 'resumed-reading' : 'resumed-finding'
      const moved = await transitionSource(tx, source.id, cause, unheld, isNotNull(sources.pausedAt))
      if (moved) await enqueueRun(tx, source, run.id)
      return moved ? 'started' : 'at-work'
    })
  }

  /** Ends the run under way or held; what it has read stays. At rest nothing happens. */
  async function cancel(...[actor, organizationId, collectionId, id]: Place): Promise<void> {
    authorize(actor, 'source:edit', organizationId)
    const source = await findSource(db.read, organizationId, collectionId, id)
    await db.write(async (tx) => {
      const open = and(eq(runs.sourceId, id), isNull(runs.finishedAt))
      const [run] = await tx.update(runs).set({ cancelledAt: new Date() }).where(open).returning({ id: runs.id })
      const [now] = await tx.select({ pausedAt: sources.pausedAt }).from(sources).where(eq(sources.id, id))
      // A held run has no job that could end it; another's may wait for its site, for up to an hour.
      if (run && now?.pausedAt) await enqueueRun(tx, source, run.id)
      const waiting = and(eq(jobs.dedupeKey, crawlKey(id)), eq(jobs.status, 'queued'))
      await tx.update(jobs).set({ runAfter: new Date() }).where(waiting)
    })
  }

  /** Starts the runs that are planned for now. Returns how many. */
  async function refreshDue(now = new Date()): Promise<number> {
    const due = await db.read
      .select({ source: sources })
      .from(sources)
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(
        and(
          lte(sources.refreshDueAt, now),
          inArray(sources.status, restful),
          mayStart(),
          isNull(collections.deletedAt),
        ),
      )
      .orderBy(asc(sources.refreshDueAt))
      .limit(100)
    let started = 0
    for (const { source } of due) if ((await start(source, 'full')) === 'started') started++
    return started
  }

  /** The last runs of the source, newest first. */
  async function reports(
    ...[actor, organizationId, collectionId, id, paging]: [...Place, Paging]
  ): Promise<Paged<RunReport>> {
    authorize(actor, 'source:read', organizationId)
    await findSource(db.read, organizationId, collectionId, id)
    const rows = await newestFirst(db.read, id).limit(paging.limit).offset(rowsBefore(paging))
    const total = await db.read.$count(runs, eq(runs.sourceId, id))
    return pageOf(
      rows.map((run) => reportOf(run)),
      total,
      paging,
    )
  }

  return { refresh, pause, resume, cancel, refreshDue, reports }
}

/** What a source that starts to work forgets. */
const unheld = { reason: null, message: null, pausedAt: null }

/** Of one whose addresses are read again, the next planned run is set when this one ends. */
export const atRest = { ...unheld, refreshDueAt: null }

/** Whether somebody cancelled the run and it is not over yet. */
function isEnding(run: RunRow | undefined): boolean {
  return run !== undefined && run.cancelledAt !== null && run.finishedAt === null
}

/** Throws conflict where the run that is there is none that the answer to a refresh could speak of. */
function assertJoinable(run: RunRow | undefined, { crawl, auto }: { crawl: boolean; auto: boolean }): void {
  if (isEnding(run)) throw conflict('The run before is still being cancelled. Try again in a moment.')
  if (!auto) throw conflict('This source is being read already. Wait until it is done, or cancel it first.')
  if (crawl && run !== undefined && run.kind !== 'full')
    throw conflict('A run that reads less has not ended yet, so no other was started. Try again when it is done.')
}

function conflict(message: string): AppError {
  return new AppError('conflict', message, { details: { title: 'Failed to refresh source' } })
}

function stillWorking(): AppError {
  return new AppError('still_working', 'Your source is taking a long time to process')
}

function isVisible() {
  return isNull(sources.deletedAt)
}

/** One that is held is at rest, too, but its run is not over. */
function mayStart() {
  return and(isVisible(), isNull(sources.pausedAt))
}
