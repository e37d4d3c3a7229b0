import { and, isNotNull, isNull } from 'drizzle-orm'
import { reasonText } from '../../../contract/reasons'
import type { Database } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import type { Organizations } from '../organizations/organizations'
import { nextMonthRefresh, type SourceRow } from '../source-rows/source-settings'
import { leftInMonth } from '../usage/quota'
import { createRun, enqueueRun, latestRun, type RunRow } from './runs'
import { transitionSource } from './transitions'

/** 'busy': another run of the source is not over. */
export type RequestResult = 'started' | 'busy' | 'no-crawls-left'

export type RequestRun = ReturnType<typeof createRequestRun>

/** Starts and resumes runs, one at a time for each source. */
export function createRequestRun({ db, organizations }: { db: Database; organizations: Organizations }) {
  function start(source: SourceRow, kind: 'full' | 'discover'): Promise<RequestResult> {
    return db.writeAlone(source.id, async (tx) => {
      // A paused run that was cancelled is at rest, but not over.
      if (isEnding(await latestRun(tx, source.id))) return 'busy'
      const { crawls } = await organizations.planOf(tx, source.organizationId)
      if (kind === 'full' && (await leftInMonth(tx, source.organizationId, 'crawls', crawls)) === 0) {
        const refreshDueAt = nextMonthRefresh(source.refreshInterval)
        const limited = { reason: 'crawl-limit', message: reasonText('crawl-limit'), refreshDueAt }
        const isLimited = await transitionSource(tx, source.id, 'no-crawls-left', limited, canStart())
        return isLimited ? 'no-crawls-left' : 'busy'
      }
      const columns = kind === 'full' ? fullRunColumns : unpaused
      if (!(await transitionSource(tx, source.id, 'started', columns, canStart()))) return 'busy'
      await createRun(tx, source, kind)
      return 'started'
    })
  }

  /** Resumes a paused run. */
  function resume(source: SourceRow): Promise<RequestResult> {
    return db.writeAlone(source.id, async (tx) => {
      const run = await latestRun(tx, source.id)
      if (!run || run.finishedAt || run.cancelledAt) return 'busy'
      const isFetching = run.discoveredAt && run.kind !== 'discover'
      const event = isFetching ? 'resumed-fetching' : 'resumed-discovery'
      const isResumed = await transitionSource(tx, source.id, event, unpaused, isNotNull(sources.pausedAt))
      if (isResumed) await enqueueRun(tx, source, run.id)
      return isResumed ? 'started' : 'busy'
    })
  }

  return { start, resume }
}

const unpaused = { reason: null, message: null, pausedAt: null }

/** What the start of a full run sets; its end schedules the next one. */
export const fullRunColumns = { ...unpaused, refreshDueAt: null }

/** A paused source is idle, but its run is not over. */
export function canStart() {
  return and(isNull(sources.deletedAt), isNull(sources.pausedAt))
}

/** Whether the run was cancelled and is not over yet. */
export function isEnding(run: RunRow | undefined): boolean {
  return run !== undefined && run.cancelledAt !== null && run.finishedAt === null
}
