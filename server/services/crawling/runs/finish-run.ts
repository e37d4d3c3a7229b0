import { and, eq, isNull, sql } from 'drizzle-orm'
import type { RefreshInterval } from '../../../../contract/enumerations'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs, sources } from '../../../../db/schema/collections'
import { dropReplacement } from '../../files/file-rows'
import type { Files } from '../../files/files'
import type { Indexes } from '../../fragments/fragments'
import type { RunContext } from '../../runs/run-context'
import { type SourceEvent, transitionSource } from '../../runs/transitions'
import { nextRefresh } from '../../source-rows/source-settings'
import { enqueueBoilerplate } from '../boilerplate/enqueue-boilerplate'
import type { Frontier } from '../frontier/frontier'
import { createRunResult, type Problem } from './run-result'
import { addSkippedCounts } from './skipped-pages'
import { createStopAddresses, restoreOpenAddresses } from './stop-addresses'

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'hasPending' | 'countExclusions' | 'countOverLimit'>
  files: Pick<Files, 'removeBytes'>
  log: RunLog
}

export interface RunLog {
  info(details: object, message: string): void
}

/** How a run ends now. */
interface Ending {
  event: SourceEvent
  interval: RefreshInterval
  refreshedAt: Date | null
  refreshDueAt: Date | null
}

export type FinishRun = ReturnType<typeof createFinishRun>

/** Ends runs and stores their result. Each function returns whether the run is over. */
export function createFinishRun({ db, indexes, frontier, files, log }: Deps) {
  const resultOf = createRunResult({ db, frontier })
  const stopAddresses = createStopAddresses({ db, indexes })

  /** The run has nothing more to do. False where it was paused, or an address became pending, meanwhile. */
  async function finish(run: RunContext): Promise<boolean> {
    const { event, problem } = await resultOf(run)
    return end(run, event, problem)
  }

  function cancel(run: RunContext): Promise<boolean> {
    return end(run, 'cancelled', null)
  }

  function stopAtLimit(run: RunContext): Promise<boolean> {
    return end(run, 'crawl-limit', problemOf('crawl-limit'))
  }

  /** What the run stored stays. */
  function giveUp(run: RunContext): Promise<boolean> {
    return end(run, 'failed', problemOf('crawl-failed'))
  }

  async function end(run: RunContext, intended: SourceEvent, problem: Problem | null): Promise<boolean> {
    const isComplete = intended === 'finished' || intended === 'url-limit' || intended === 'listed'
    if (isComplete && (await frontier.hasPending(run))) return false
    if (!isComplete)
      await stopAddresses(run, async (queries) => (await endingOf(queries, run, intended))?.event ?? null)
    // Counted before the transaction. A single address says nothing about the others.
    const isSingle = run.kind === 'address'
    const exclusionsNow = isSingle ? {} : await frontier.countExclusions(run)
    const overLimit = isSingle ? 0 : await frontier.countOverLimit(run.source.id)
    let ended: SourceEvent | null = null
    const removedFiles = await db.write(async (tx) => {
      ended = null
      const ending = await endingOf(tx, run, intended)
      if (!ending) return null
      const { event } = ending
      if (isComplete && event === intended && (await frontier.hasPending(run, tx))) return null
      await restoreOpenAddresses(tx, eq(addresses.sourceId, run.source.id), event)
      await storeReport(tx, run, { event, exclusionsNow, overLimit })
      await storeResult(tx, run, ending, event === intended ? problem : null)
      // A complete full run detects boilerplate itself.
      if (run.source.type !== 'file' && (!isComplete || isSingle)) await enqueueBoilerplate(tx, run.source)
      ended = event
      // Cancelling keeps the file that was there; any other end goes on with the new one.
      return event === 'cancelled' && run.source.type === 'file' ? dropReplacement(tx, run.source.id) : []
    })
    await files.removeBytes(removedFiles ?? [])
    if (ended !== null) await logEnd(run, ended)
    return removedFiles !== null
  }

  async function logEnd(run: RunContext, event: SourceEvent): Promise<void> {
    const [row] = await db.read.select().from(runs).where(eq(runs.id, run.runId))
    if (!row) return
    const { fetched, unchanged, failed, fragments, reason } = row
    const seconds = Math.round((Date.now() - row.startedAt.getTime()) / 1000)
    log.info({ ...namesOf(run), end: event, fetched, unchanged, failed, fragments, reason, seconds }, 'A run ended.')
  }

  async function storeReport(
    tx: Transaction,
    run: RunContext,
    {
      event,
      exclusionsNow,
      overLimit,
    }: { event: SourceEvent; exclusionsNow: Record<string, number>; overLimit: number },
  ): Promise<void> {
    const exclusions = await addSkippedCounts(tx, run, event, exclusionsNow)
    const ignored = sql`${runs.ignored} + ${sql.raw(String(overLimit))}`
    const unfinished = and(eq(runs.id, run.runId), isNull(runs.finishedAt))
    await tx.update(runs).set({ finishedAt: new Date(), exclusions, ignored }).where(unfinished)
  }

  return { finish, cancel, stopAtLimit, giveUp }
}

/** How the log names a run. */
export function namesOf({ runId, kind, source }: RunContext) {
  const { id: sourceId, type, organizationId, collectionId } = source
  return { runId, kind, sourceId, type, organizationId, collectionId }
}

async function storeResult(
  tx: Transaction,
  { source, kind }: RunContext,
  ending: Ending,
  problem: Problem | null,
): Promise<void> {
  const now = new Date()
  await transitionSource(tx, source.id, ending.event, {
    ...(kind === 'full' ? { refreshedAt: now } : {}),
    reason: problem?.reason ?? null,
    message: problem?.message ?? null,
    pausedAt: null,
    refreshDueAt: nextDueAt(kind, ending, now),
  })
}

/** Null for a paused run. One that was cancelled meanwhile ends as cancelled. */
async function endingOf(queries: Queries, { runId }: RunContext, intended: SourceEvent): Promise<Ending | null> {
  const [found] = await queries
    .select({
      pausedAt: sources.pausedAt,
      interval: sources.refreshInterval,
      refreshedAt: sources.refreshedAt,
      refreshDueAt: sources.refreshDueAt,
      cancelledAt: runs.cancelledAt,
    })
    .from(runs)
    .innerJoin(sources, eq(sources.id, runs.sourceId))
    .where(eq(runs.id, runId))
  if (!found) return null
  const event: SourceEvent = found.cancelledAt ? 'cancelled' : intended
  return found.pausedAt && event !== 'cancelled' ? null : { ...found, event }
}

/** Only a full run moves the schedule. */
function nextDueAt(kind: RunContext['kind'], { interval, refreshedAt, refreshDueAt }: Ending, now: Date): Date | null {
  if (kind === 'full') return nextRefresh(interval, now)
  return refreshDueAt ?? nextRefresh(interval, refreshedAt ?? now)
}

function problemOf(reason: ReasonCode): Problem {
  return { reason, message: reasonText(reason) }
}
