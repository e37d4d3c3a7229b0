import { setImmediate as breathe } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AddressStatus } from '../../../../contract/enumerations'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { RefreshInterval } from '../../../../contract/source-options'
import type { Database, Queries, Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs, sources } from '../../../../db/schema/collections'
import type { Files } from '../../files/files'
import type { Indexes } from '../../fragments/fragments'
import { nextRefresh } from '../../sources/source-settings'
import { enqueueBoilerplate } from '../boilerplate/enqueue-boilerplate'
import { discardStaged } from '../documents/document-parts'
import { dropReplacement } from '../documents/file-rows'
import type { Frontier } from '../frontier/frontier'
import { type SourceEvent, transitionAddresses, transitionSource } from '../transitions'
import type { RunContext } from './run-context'
import { exclusionKey } from './run-stats'
import { isReason } from './runs'
import { withSkipped } from './skipped-pages'

interface Problem {
  reason: ReasonCode
  message: string
}

const addressesAtOnce = 500

interface Deps {
  db: Database
  indexes: Indexes
  frontier: Frontier
  files: Pick<Files, 'removeBytes'>
}

/** How runs end, and what the source says of it. */
export function createFinishRun({ db, indexes, frontier, files }: Deps) {
  /** The run is over by itself. False where it is not: held meanwhile, or an address waits again. */
  async function finish(work: RunContext): Promise<boolean> {
    const { kept, ignored, foundNothing, firstFailure, problem } = await tally(work)
    if (work.kind === 'discover') {
      return problem && !(await knowsAny(work)) ? end(work, 'failed', problem) : end(work, 'listed', null)
    }
    const isAll = work.kind === 'full' || work.source.type === 'file'
    if (kept === 0 || (foundNothing && isAll)) {
      return end(work, 'failed', firstFailure ?? problem ?? (await commonestRefusal(work)))
    }
    return ignored > 0 ? end(work, 'url-limit', sentenceOf('over-limit')) : end(work, 'done', null)
  }

  /** Why most addresses are out, where none failed. */
  async function commonestRefusal(work: RunContext): Promise<Problem> {
    const all = Object.entries(await frontier.refusals(work))
    const [[reason] = ['']] = all.sort(([, one], [, other]) => other - one)
    if (!isReason(reason)) return sentenceOf('empty-page')
    return { reason, message: `No page is in. Most often for this reason: ${reasonText(reason)}` }
  }

  function cancel(work: RunContext): Promise<boolean> {
    return end(work, 'cancelled', null)
  }

  /** The month's crawls are used up. */
  function stopAtLimit(work: RunContext): Promise<boolean> {
    return end(work, 'crawl-limit', sentenceOf('crawl-limit'))
  }

  /** A run that failed for good ends, so that its source says so and can be refreshed. What was read stays. */
  function giveUp(work: RunContext): Promise<boolean> {
    return end(work, 'failed', sentenceOf('crawl-failed'))
  }

  async function end(work: RunContext, wanted: SourceEvent, problem: Problem | null): Promise<boolean> {
    const isWhole = wanted === 'done' || wanted === 'url-limit' || wanted === 'listed'
    if (isWhole && (await frontier.isWaiting(work))) return false
    if (!isWhole) {
      await undoDocuments(work, wanted)
      await stopAddresses(work, wanted)
    }
    // As the table says it from now on. A single address says nothing of the others.
    const isOne = work.kind === 'address'
    const outNow = isOne ? {} : await frontier.refusals(work)
    const over = isOne ? 0 : await frontier.countOver(work.source.id)
    const gone = await db.write(async (tx) => {
      const { source, runId, kind } = work
      const now = new Date()
      const found = await endNow(tx, work, wanted)
      if (!found) return null
      const { cause } = found
      const told = cause === wanted ? problem : null
      if (isWhole && cause === wanted && (await frontier.isWaiting(work, tx))) return null
      await moveOpen(tx, eq(addresses.sourceId, source.id), cause)
      const ended = and(eq(runs.id, runId), isNull(runs.finishedAt))
      const exclusions = await withSkipped(tx, work, cause, outNow)
      const ignored = sql`${runs.ignored} + ${sql.raw(String(over))}`
      await tx.update(runs).set({ finishedAt: now, exclusions, ignored }).where(ended)
      await transitionSource(tx, source.id, cause, {
        ...(kind === 'full' ? { refreshedAt: now } : {}),
        reason: told?.reason ?? null,
        message: told?.message ?? null,
        pausedAt: null,
        refreshDueAt: dueAfter(kind, found, now),
      })
      // A whole run has settled what its pages share.
      if (source.type !== 'file' && (!isWhole || kind === 'address')) await enqueueBoilerplate(tx, source)
      // Whoever cancels wants the file that was there; what ends for another reason goes on with the new one.
      return cause === 'cancelled' && source.type === 'file' ? dropReplacement(tx, source.id) : []
    })
    await files.removeBytes(gone ?? [])
    return gone !== null
  }

  /** As what the run ends now, for somebody may have held or cancelled it since it was looked at; null while held. */
  async function endNow(queries: Queries, { runId }: RunContext, wanted: SourceEvent) {
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
    const cause: SourceEvent = found?.cancelledAt ? 'cancelled' : wanted
    return !found || (found.pausedAt && cause !== 'cancelled') ? null : { ...found, cause }
  }

  /** Takes away what was added of documents that are not read to their end; what they had before stays. */
  async function undoDocuments(work: RunContext, wanted: SourceEvent): Promise<void> {
    const begun = and(eq(addresses.sourceId, work.source.id), isNotNull(addresses.committedThroughKey))
    for (const address of await db.read.select().from(addresses).where(begun)) {
      if (!(await endNow(db.read, work, wanted))) return
      await discardStaged({ db, indexes }, address)
    }
  }

  /** Piece by piece, so that no statement is long. */
  async function stopAddresses(work: RunContext, wanted: SourceEvent): Promise<void> {
    const ofSource = eq(addresses.sourceId, work.source.id)
    const open = and(ofSource, inArray(addresses.status, ['pending', 'crawling']))
    for (;;) {
      const rows = await db.read.select({ id: addresses.id }).from(addresses).where(open).limit(addressesAtOnce)
      if (rows.length === 0) return
      const ids = rows.map(({ id }) => id)
      const ends = await db.write(async (tx) => {
        const found = await endNow(tx, work, wanted)
        if (found) await moveOpen(tx, inArray(addresses.id, ids), found.cause)
        return found !== null
      })
      if (!ends) return
      await breathe()
    }
  }

  /** Addresses whose turn did not come keep what they have, and what was said of them. */
  async function moveOpen(tx: Transaction, which: SQL, cause: SourceEvent): Promise<void> {
    const { reasonBefore: reason, messageBefore: message, httpStatusBefore: httpStatus } = addresses
    // Whoever looks for those that the run did not look at finds them without it.
    const unread = { runId: null, nextFetchAt: null }
    const asBefore = { ...unread, reason: sql`${reason}`, message: sql`${message}`, httpStatus: sql`${httpStatus}` }
    const stood = (status: AddressStatus) => and(which, eq(sql`coalesce(${addresses.statusBefore}, '')`, status))
    await transitionAddresses(tx, stood('idle'), 'stopped', asBefore)
    await transitionAddresses(tx, stood('fail'), 'still-failed', asBefore)
    if (cause !== 'crawl-limit') await transitionAddresses(tx, stood('limit'), 'still-over', asBefore)
    // A retry forgets that a person left it out: without a text it is as good as never read.
    const isSettled = or(gt(addresses.fragments, 0), isNotNull(addresses.reason))
    const settled = and(which, isNotNull(addresses.crawledAt), isSettled)
    await transitionAddresses(tx, settled, 'stopped', unread)
    if (cause === 'crawl-limit') {
      const why = { reason: 'crawl-limit', message: reasonText('crawl-limit'), ...unread }
      await transitionAddresses(tx, and(which, eq(addresses.status, 'pending')), 'over-limit', why)
    }
    await transitionAddresses(tx, which, 'never-read', { ...unread, reason: null, message: null })
  }

  /** How the run stands: pages that are in, addresses over a limit, whether it could read no page, the first failure. */
  async function tally(work: RunContext) {
    const { source, runId } = work
    const kept = await db.read.$count(addresses, and(eq(addresses.sourceId, source.id), gt(addresses.fragments, 0)))
    const [run] = await db.read.select().from(runs).where(eq(runs.id, runId))
    const [failure] = await db.read
      .select({ reason: addresses.reason, message: addresses.message })
      .from(addresses)
      .where(and(eq(addresses.sourceId, source.id), eq(addresses.status, 'fail')))
      .orderBy(asc(addresses.depth), asc(addresses.createdAt))
      .limit(1)
    const firstFailure =
      failure?.reason && failure.message ? { reason: failure.reason as ReasonCode, message: failure.message } : null
    const foundNothing =
      run !== undefined && run.failed > 0 && run.fetched + run.unchanged + countCanonicalized(run.exclusions) === 0
    const problem = run?.reason && run.message ? { reason: run.reason as ReasonCode, message: run.message } : null
    return {
      kept,
      problem,
      ignored: (run?.ignored ?? 0) + (await frontier.countOver(source.id)),
      foundNothing,
      firstFailure,
    }
  }

  async function knowsAny({ source }: RunContext): Promise<boolean> {
    return (await db.read.$count(addresses, eq(addresses.sourceId, source.id))) > 0
  }

  return { finish, cancel, stopAtLimit, giveUp }
}

/** Pages that the site served and that another address stands for. */
function countCanonicalized(exclusions: Record<string, number>): number {
  return (['duplicate', 'canonical', 'feed'] as const).reduce(
    (sum, reason) => sum + (exclusions[exclusionKey('rejected', reason)] ?? 0),
    0,
  )
}

/** A look for addresses alone, and one address that a person asked for, change nothing of what is planned. */
function dueAfter(
  kind: RunContext['kind'],
  {
    interval,
    refreshedAt,
    refreshDueAt,
  }: { interval: RefreshInterval; refreshedAt: Date | null; refreshDueAt: Date | null },
  now: Date,
): Date | null {
  if (kind === 'full') return nextRefresh(interval, now)
  return refreshDueAt ?? nextRefresh(interval, refreshedAt ?? now)
}

function sentenceOf(reason: ReasonCode): Problem {
  return { reason, message: reasonText(reason) }
}
