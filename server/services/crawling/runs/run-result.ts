import { and, asc, count, eq, gt } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { Database, Queries } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import type { RunContext } from '../../runs/run-context'
import { isReason, visitOutcomes } from '../../runs/run-report'
import type { Frontier } from '../frontier/frontier'
import { foundNothing, isExplained, type ReasonOfAddresses, type RunEnd } from './outcomes'

export interface Problem {
  reason: ReasonCode
  message: string
}

interface Deps {
  db: Database
  frontier: Pick<Frontier, 'countOverLimit'>
}

/** Decides how a run without open visits ends, and the problem of its source. */
export function createRunResult({ db, frontier }: Deps) {
  return async (run: RunContext): Promise<{ end: RunEnd; problem: Problem | null }> => {
    const { source, runId } = run
    const ofSource = eq(addresses.sourceId, source.id)
    const [row] = await db.read.select().from(runs).where(eq(runs.id, runId))
    if (run.kind === 'discover') {
      const problem = problemOf(row)
      const isEmpty = (await db.read.$count(addresses, ofSource)) === 0
      return problem && isEmpty ? { end: 'failed', problem } : { end: 'listed', problem: null }
    }
    const overLimit: Problem = { reason: 'over-limit', message: reasonText('over-limit') }
    const ignored = (row?.ignored ?? 0) + (await frontier.countOverLimit(source.id))
    const indexed = await db.read.$count(addresses, and(ofSource, gt(addresses.fragments, 0)))
    // A file, which has no URL, is all of its source.
    const isOfAll = run.kind === 'full' || source.url === null
    if (indexed === 0 || (isOfAll && foundNothing(await visitOutcomes(db.read, runId)))) {
      const problem = (await firstFailure(source.id)) ?? problemOf(row)
      // Without room for a single address, nothing has failed.
      if (!problem && ignored > 0) return { end: 'url-limit', problem: overLimit }
      return { end: 'failed', problem: problem ?? (await commonExclusion(run)) }
    }
    if (ignored === 0) return { end: 'finished', problem: null }
    return { end: 'url-limit', problem: overLimit }
  }

  /** Returns the problem of the failed address nearest to the start. */
  async function firstFailure(sourceId: string): Promise<Problem | null> {
    const [failure] = await db.read
      .select({ reason: addresses.reason, message: addresses.message })
      .from(addresses)
      .where(and(eq(addresses.sourceId, sourceId), eq(addresses.status, 'fail')))
      .orderBy(asc(addresses.depth), asc(addresses.createdAt))
      .limit(1)
    return problemOf(failure)
  }

  /** The most frequent reason, where no address failed. */
  async function commonExclusion({ kind, runId, source }: RunContext): Promise<Problem> {
    const counts =
      kind === 'address' ? await visitOutcomes(db.read, runId) : await reasonsOfAddresses(db.read, source.id)
    const [first] = counts.filter(isExplained).sort((former, latter) => latter.count - former.count)
    const reason = first?.reason ?? ''
    if (!isReason(reason)) return { reason: 'empty-page', message: reasonText('empty-page') }
    return { reason, message: `No page is indexed. The most frequent reason: ${reasonText(reason)}` }
  }
}

export async function reasonsOfAddresses(queries: Queries, sourceId: string): Promise<ReasonOfAddresses[]> {
  return queries
    .select({ reason: addresses.reason, count: count() })
    .from(addresses)
    .where(eq(addresses.sourceId, sourceId))
    .groupBy(addresses.reason)
}

function problemOf(row: { reason: string | null; message: string | null } | undefined): Problem | null {
  return row?.reason && row.message ? { reason: row.reason as ReasonCode, message: row.message } : null
}
