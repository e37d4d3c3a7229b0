import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { RefreshView } from '../../../../../contract/views/run'
import type { Database } from '../../../../../db/database'
import { visits } from '../../../../../db/schema/addresses'
import { sources } from '../../../../../db/schema/collections'
import { AppError } from '../../../../errors'
import { notFound } from '../../../../policy'
import { isEnding, type RequestRun } from '../../../runs/request-run'
import { latestRun, type RunRow } from '../../../runs/runs'
import type { SourceRow } from '../../../source-rows/source-settings'
import { countUrlsOfSource } from '../../../usage/urls'
import type { Frontier } from '../../frontier/frontier'

export interface RefreshRequest {
  /** False only discovers addresses. */
  crawl: boolean
  /** Joins a run in progress where possible, instead of a conflict. */
  auto: boolean
}

const pollMs = 100

interface Deps {
  db: Database
  frontier: Pick<Frontier, 'countOverLimit'>
  requestRun: RequestRun
}

/**
 * Starts a run of a source, or resumes its paused one, and waits until its addresses are discovered. A run in progress is
 * a conflict; with `auto` the answer is about that run. A run that is being cancelled, or that does less than requested,
 * is a conflict, too; `auto` waits for its end before it starts another. Throws still_working when discovery takes longer
 * than `waitMs`; 0 does not wait.
 */
export function createRefresh({ db, frontier, requestRun }: Deps) {
  async function refresh(
    source: SourceRow,
    { crawl, auto }: RefreshRequest,
    { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  ): Promise<RefreshView> {
    const { id } = source
    const deadline = Date.now() + waitMs
    const kind = crawl ? 'full' : 'discover'
    const paused = source.pausedAt ? await latestRun(db.read, id) : undefined
    const isPausedLess = crawl && paused !== undefined && paused.kind !== 'full' && !isEnding(paused)
    if (isPausedLess && !auto) {
      throw conflict('A partial run of this source is paused. Resume or cancel it first, then refresh.')
    }
    let result = source.pausedAt ? await requestRun.resume(source) : await requestRun.start(source, kind)
    if (isPausedLess) result = 'busy'
    while (result === 'busy' && auto && Date.now() < deadline && !(await canJoin(id, crawl))) {
      await sleep(pollMs)
      result = await requestRun.start(source, kind)
    }
    if (result === 'no-crawls-left') {
      return { success: false, count: 0, ignored: 0, crawlLimit: true, status: 'crawl-limit' }
    }
    if (result === 'busy') assertJoinable(await latestRun(db.read, id), { crawl, auto })
    return waitForDiscovery(id, { waitMs, deadline, signal })
  }

  /** A run that is over, is being cancelled, or does less than requested cannot be joined. */
  async function canJoin(sourceId: string, crawl: boolean): Promise<boolean> {
    const run = await latestRun(db.read, sourceId)
    return run === undefined || (!run.finishedAt && !run.cancelledAt && (!crawl || run.kind === 'full'))
  }

  async function waitForDiscovery(
    id: string,
    { waitMs, deadline, signal }: { waitMs: number; deadline: number; signal?: AbortSignal },
  ): Promise<RefreshView> {
    for (;;) {
      // The run first: it ends in one transaction with the status of its source, which must not be older than the end.
      const run = await latestRun(db.read, id)
      const [source] = await db.read.select().from(sources).where(eq(sources.id, id))
      if (!source || source.deletedAt || !run) throw notFound()
      const isDiscovered = run.finishedAt || source.pausedAt || (run.discoveredAt && run.kind !== 'discover')
      if (isDiscovered || waitMs === 0 || signal?.aborted) return answerOf(source, run)
      if (Date.now() >= deadline) {
        throw new AppError('still_working', 'Your source is taking a long time to process')
      }
      await sleep(pollMs)
    }
  }

  async function answerOf({ id, status }: SourceRow, run: RunRow): Promise<RefreshView> {
    const count =
      run.kind === 'discover'
        ? await countUrlsOfSource(db.read, id)
        : await db.read.$count(visits, eq(visits.runId, run.id))
    // The end of the run adds the stored addresses over the limit.
    const ignored = run.ignored + (run.finishedAt ? 0 : await frontier.countOverLimit(id))
    return { success: status !== 'fail', count, ignored, crawlLimit: status === 'crawl-limit', status }
  }

  return refresh
}

function assertJoinable(run: RunRow | undefined, { crawl, auto }: RefreshRequest): void {
  if (isEnding(run)) throw conflict('The previous run is still being cancelled. Try again in a moment.')
  if (!auto) throw conflict('A run of this source is already active. Wait until it ends, or cancel it first.')
  if (crawl && run !== undefined && run.kind !== 'full') {
    throw conflict('A partial run is still active, so no other run was started. Try again when it has ended.')
  }
}

function conflict(message: string): AppError {
  return new AppError('conflict', message, { details: { title: 'Failed to refresh source' } })
}
