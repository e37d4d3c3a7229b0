import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { RefreshInterval } from '../../../../contract/values/enumerations'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses, runOutcomes, visits } from '../../../../db/schema/addresses'
import { runs, sources } from '../../../../db/schema/collections'
import { dropReplacement } from '../../files/file-rows'
import type { Files } from '../../files/files'
import type { Indexes } from '../../fragments/fragments'
import type { RunContext } from '../../runs/run-context'
import { runReport, visitOutcomes } from '../../runs/run-report'
import { type SourceEvent, transitionSource } from '../../runs/transitions'
import { isOpen } from '../../runs/visits'
import { nextRefresh } from '../../source-rows/source-settings'
import { hasBoilerplate } from '../boilerplate/detect-boilerplate'
import { enqueueBoilerplate } from '../boilerplate/enqueue-boilerplate'
import { rollbackDocument } from '../documents/document-parts'
import type { Frontier } from '../frontier/frontier'
import { type RunEnd, skippedAddresses } from './outcomes'
import { createRunResult, type Problem, reasonsOfAddresses } from './run-result'

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Pick<Frontier, 'hasOpen' | 'countOverLimit'>
  files: Pick<Files, 'removeBytes'>
  log: RunLog
}

export interface RunLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** How a run ends now. */
interface Ending {
  end: RunEnd
  interval: RefreshInterval
  refreshedAt: Date | null
  refreshDueAt: Date | null
}

const batchSize = 500

const sourceEvents: Record<RunEnd, SourceEvent> = {
  finished: 'finished',
  listed: 'finished',
  cancelled: 'finished',
  failed: 'failed',
  'url-limit': 'url-limit',
  'crawl-limit': 'crawl-limit',
}

export type FinishRun = ReturnType<typeof createFinishRun>

/** Ends runs and stores their result. Each function returns whether the run is over. */
export function createFinishRun({ db, indexes, frontier, files, log }: Deps) {
  const resultOf = createRunResult({ db, frontier })

  /** The run has nothing more to do. False where it was paused, or a visit was opened, meanwhile. */
  async function finish(run: RunContext): Promise<boolean> {
    const { end, problem } = await resultOf(run)
    return endRun(run, end, problem)
  }

  function cancel(run: RunContext): Promise<boolean> {
    return endRun(run, 'cancelled', null)
  }

  function stopAtLimit(run: RunContext): Promise<boolean> {
    return endRun(run, 'crawl-limit', problemOf('crawl-limit'))
  }

  /** What the run stored stays. */
  function giveUp(run: RunContext): Promise<boolean> {
    return endRun(run, 'failed', problemOf('crawl-failed'))
  }

  async function endRun(run: RunContext, intended: RunEnd, problem: Problem | null): Promise<boolean> {
    const isComplete = intended === 'finished' || intended === 'url-limit' || intended === 'listed'
    if (isComplete && (await frontier.hasOpen(run))) return false
    if (!isComplete) await stopVisits(run, intended)
    // Counted before the transaction. A single address says nothing about the others.
    const isSingle = run.kind === 'address'
    const reasons = isSingle ? [] : await reasonsOfAddresses(db.read, run.source.id)
    const overLimit = isSingle ? 0 : await frontier.countOverLimit(run.source.id)
    let ended: RunEnd | null = null
    const removedFiles = await run.db.write(async (tx) => {
      ended = null
      const ending = await endingOf(tx, run, intended)
      if (!ending) return null
      const { end } = ending
      if (isComplete && end === intended && (await frontier.hasOpen(run, tx))) return null
      await tx.delete(visits).where(and(eq(visits.runId, run.runId), isOpen()))
      const outcomes = await visitOutcomes(tx, run.runId)
      outcomes.push(...skippedAddresses(run.kind, end, reasons, outcomes))
      if (outcomes.length > 0) {
        await tx.insert(runOutcomes).values(outcomes.map((outcome) => ({ runId: run.runId, ...outcome })))
      }
      const ignored = sql`${runs.ignored} + ${sql.raw(String(overLimit))}`
      await tx.update(runs).set({ finishedAt: new Date(), ignored }).where(eq(runs.id, run.runId))
      await storeResult(tx, run, ending, end === intended ? problem : null)
      // A complete full run detects boilerplate itself.
      if (hasBoilerplate(run.source) && (!isComplete || isSingle)) await enqueueBoilerplate(tx, run.source)
      ended = end
      // Cancelling keeps the file that was there; any other end goes on with the new one.
      return end === 'cancelled' ? dropReplacement(tx, run.source.id) : []
    })
    await files.removeBytes(removedFiles ?? [])
    if (ended !== null) await logEnd(run, ended)
    return removedFiles !== null
  }

  /** Deletes the open visits of a run that ends early, in batches that keep each transaction short. */
  async function stopVisits(run: RunContext, intended: RunEnd): Promise<void> {
    const inParts = and(eq(addresses.sourceId, run.source.id), isNotNull(addresses.committedThroughKey))
    for (const address of await db.read.select().from(addresses).where(inParts)) {
      if (!(await endingOf(db.read, run, intended))) return
      await rollbackDocument({ db: run.db, indexes }, address)
    }
    for (let stopped = batchSize; stopped === batchSize; ) {
      await yieldToEventLoop()
      stopped = await run.db.write(async (tx) => {
        const ending = await endingOf(tx, run, intended)
        return ending ? stopBatch(tx, run, ending.end) : 0
      })
    }
  }

  /** Returns the number of visits. */
  async function stopBatch(tx: Transaction, { runId }: RunContext, end: RunEnd): Promise<number> {
    const open = and(eq(visits.runId, runId), isOpen())
    const rows = await tx.select({ id: visits.addressId }).from(visits).where(open).limit(batchSize)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return 0
    await tx.delete(visits).where(and(eq(visits.runId, runId), inArray(visits.addressId, ids)))
    if (end === 'crawl-limit') {
      const limited = { status: 'limit' as const, reason: 'crawl-limit', message: reasonText('crawl-limit') }
      const unread = and(inArray(addresses.id, ids), inArray(addresses.status, ['new', 'limit']))
      await tx.update(addresses).set(limited).where(unread)
    }
    return ids.length
  }

  async function logEnd(run: RunContext, end: RunEnd): Promise<void> {
    const [row] = await db.read.select().from(runs).where(eq(runs.id, run.runId))
    const report = await runReport(db.read, row)
    if (!report) return
    const { fetched, unchanged, failed, fragments, problem, duration_ms: durationMs } = report
    const counts = { fetched, unchanged, failed, fragments, reason: problem?.reason ?? null }
    log.info({ ...namesOf(run), end, ...counts, seconds: Math.round(durationMs / 1000) }, 'A run ended.')
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
  await transitionSource(tx, source.id, sourceEvents[ending.end], {
    ...(kind === 'full' ? { refreshedAt: now } : {}),
    reason: problem?.reason ?? null,
    message: problem?.message ?? null,
    pausedAt: null,
    refreshDueAt: nextDueAt(kind, ending, now),
  })
}

/** Null for a paused run. One that was cancelled meanwhile ends as cancelled. */
async function endingOf(queries: Queries, { runId }: RunContext, intended: RunEnd): Promise<Ending | null> {
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
    .where(and(eq(runs.id, runId), isNull(runs.finishedAt)))
  if (!found) return null
  const end = found.cancelledAt ? 'cancelled' : intended
  return found.pausedAt && end !== 'cancelled' ? null : { ...found, end }
}

/** Returns when the next planned run is due. Only a full run moves the schedule. */
function nextDueAt(kind: RunContext['kind'], { interval, refreshedAt, refreshDueAt }: Ending, now: Date): Date | null {
  if (kind === 'full') return nextRefresh(interval, now)
  return refreshDueAt ?? nextRefresh(interval, refreshedAt ?? now)
}

function problemOf(reason: ReasonCode): Problem {
  return { reason, message: reasonText(reason) }
}
