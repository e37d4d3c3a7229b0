import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm'
import { reasonText } from '../../../../../contract/reasons'
import type { SourceStatus } from '../../../../../contract/values/enumerations'
import type { Paged, Paging } from '../../../../../contract/values/paging'
import type { RefreshView, RunReport } from '../../../../../contract/views/run'
import type { Database } from '../../../../../db/database'
import { fragments } from '../../../../../db/schema/addresses'
import { collections, runs, sources } from '../../../../../db/schema/collections'
import { jobs } from '../../../../../db/schema/jobs'
import type { Actor } from '../../../../actor'
import { crawlLimits } from '../../../../engine/limits'
import { authorize } from '../../../../policy'
import { enqueueEmbedding } from '../../../indexing/enqueue-embedding'
import type { Organizations } from '../../../organizations/organizations'
import { pageOf, rowsBefore } from '../../../paging'
import { canStart, createRequestRun } from '../../../runs/request-run'
import { reportsOf } from '../../../runs/run-report'
import { crawlKey, enqueueRun, newestFirst } from '../../../runs/runs'
import { transitionSource } from '../../../runs/transitions'
import { findSource, type SourceRef } from '../../../source-rows/find-source'
import type { Frontier } from '../../frontier/frontier'
import { createRefresh, type RefreshRequest } from './refresh'

const restingStatuses: SourceStatus[] = ['fail', 'idle', 'new', 'crawl-limit', 'url-limit']
const maxPlannedPerCheck = 100

interface Deps {
  db: Database
  organizations: Organizations
  frontier: Pick<Frontier, 'countOverLimit'>
}

/** Starts, pauses, resumes and cancels the runs of sources. */
export function createRunControl({ db, organizations, frontier }: Deps) {
  const requestRun = createRequestRun({ db, organizations })
  const refreshSource = createRefresh({ db, frontier, requestRun })

  /** See `createRefresh`. */
  async function refresh(
    actor: Actor,
    ref: SourceRef,
    request: RefreshRequest,
    wait: { waitMs?: number; signal?: AbortSignal } = {},
  ): Promise<RefreshView> {
    authorize(actor, 'source:edit', ref.organizationId)
    const source = await findSource(db.read, ref)
    return refreshSource(source, request, { waitMs: crawlLimits.maxDiscoveryWaitMs, ...wait })
  }

  /**
   * Pauses the run: pages in progress are still stored, the others wait. Without a run, pauses the indexing of the source.
   * Does nothing at rest.
   */
  async function pause(actor: Actor, ref: SourceRef): Promise<void> {
    authorize(actor, 'source:edit', ref.organizationId)
    await findSource(db.read, ref)
    const paused = { pausedAt: new Date(), reason: 'paused', message: reasonText('paused') }
    await db.writeAlone(ref.sourceId, async (tx) => {
      if (await transitionSource(tx, ref.sourceId, 'paused', paused)) return
      const isPending = and(eq(fragments.sourceId, ref.sourceId), isNull(fragments.vectorModel))
      if ((await tx.$count(fragments, isPending)) === 0) return
      const isRunless = and(eq(sources.id, ref.sourceId), isNull(sources.pausedAt))
      await tx.update(sources).set({ indexingPausedAt: new Date() }).where(isRunless)
    })
  }

  /** Continues a paused run, or paused indexing. Does nothing without one. */
  async function resume(actor: Actor, ref: SourceRef): Promise<void> {
    authorize(actor, 'source:edit', ref.organizationId)
    const source = await findSource(db.read, ref)
    if (source.pausedAt) await requestRun.resume(source)
    else if (source.indexingPausedAt) {
      await db.write(async (tx) => {
        await tx.update(sources).set({ indexingPausedAt: null }).where(eq(sources.id, source.id))
        await enqueueEmbedding(tx, source)
      })
    }
  }

  /** Ends the run, also a paused one; what it stored stays. Does nothing at rest. */
  async function cancel(actor: Actor, ref: SourceRef): Promise<void> {
    authorize(actor, 'source:edit', ref.organizationId)
    const source = await findSource(db.read, ref)
    const { id } = source
    await db.writeAlone(id, async (tx) => {
      const unfinished = and(eq(runs.sourceId, id), isNull(runs.finishedAt))
      const [run] = await tx.update(runs).set({ cancelledAt: new Date() }).where(unfinished).returning({ id: runs.id })
      const [now] = await tx.select({ pausedAt: sources.pausedAt }).from(sources).where(eq(sources.id, id))
      // A paused run has no job that could end it. The job of another may wait for its site, up to an hour.
      if (run && now?.pausedAt) await enqueueRun(tx, source, run.id)
      const queued = and(eq(jobs.dedupeKey, crawlKey(id)), eq(jobs.status, 'queued'))
      await tx.update(jobs).set({ runAfter: new Date() }).where(queued)
    })
  }

  /** Starts the planned runs that are due. Returns how many. */
  async function refreshDue(now = new Date()): Promise<number> {
    const due = await db.read
      .select({ source: sources })
      .from(sources)
      .innerJoin(collections, eq(collections.id, sources.collectionId))
      .where(
        and(
          lte(sources.refreshDueAt, now),
          inArray(sources.status, restingStatuses),
          canStart(),
          isNull(collections.deletedAt),
        ),
      )
      .orderBy(asc(sources.refreshDueAt))
      .limit(maxPlannedPerCheck)
    let started = 0
    for (const { source } of due) if ((await requestRun.start(source, 'full')) === 'started') started++
    return started
  }

  /** The last runs of the source, newest first. */
  async function reports(actor: Actor, ref: SourceRef, paging: Paging): Promise<Paged<RunReport>> {
    authorize(actor, 'source:read', ref.organizationId)
    const { id } = await findSource(db.read, ref)
    const rows = await newestFirst(db.read, id).limit(paging.limit).offset(rowsBefore(paging))
    const total = await db.read.$count(runs, eq(runs.sourceId, id))
    const docs = await reportsOf(db.read, rows)
    return pageOf(docs, total, paging)
  }

  return { refresh, pause, resume, cancel, refreshDue, reports }
}
