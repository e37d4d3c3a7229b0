import { and, asc, eq, gt } from 'drizzle-orm'
import { type ReasonCode, reasonText } from '../../../../contract/reasons'
import type { Database } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import type { RunContext } from '../../runs/run-context'
import { isReason } from '../../runs/run-report'
import { exclusionKey } from '../../runs/run-stats'
import type { RunRow } from '../../runs/runs'
import type { SourceEvent } from '../../runs/transitions'
import type { Frontier } from '../frontier/frontier'

export interface Problem {
  reason: ReasonCode
  message: string
}

interface Deps {
  db: Database
  frontier: Pick<Frontier, 'countExclusions' | 'countOverLimit'>
}

/** Decides the status that a source gets from a run without pending addresses, and its problem. */
export function createRunResult({ db, frontier }: Deps) {
  return async (run: RunContext): Promise<{ event: SourceEvent; problem: Problem | null }> => {
    const { source, runId } = run
    const ofSource = eq(addresses.sourceId, source.id)
    const [row] = await db.read.select().from(runs).where(eq(runs.id, runId))
    if (run.kind === 'discover') {
      const problem = problemOf(row)
      const isEmpty = (await db.read.$count(addresses, ofSource)) === 0
      return problem && isEmpty ? { event: 'failed', problem } : { event: 'listed', problem: null }
    }
    const overLimit: Problem = { reason: 'over-limit', message: reasonText('over-limit') }
    const ignored = (row?.ignored ?? 0) + (await frontier.countOverLimit(source.id))
    const indexed = await db.read.$count(addresses, and(ofSource, gt(addresses.fragments, 0)))
    const isOfAll = run.kind === 'full' || source.type === 'file'
    if (indexed === 0 || (isOfAll && foundNothing(row))) {
      const problem = (await firstFailure(source.id)) ?? problemOf(row)
      // Without room for a single address, nothing has failed.
      if (!problem && ignored > 0) return { event: 'url-limit', problem: overLimit }
      return { event: 'failed', problem: problem ?? (await commonExclusion(run)) }
    }
    if (ignored === 0) return { event: 'finished', problem: null }
    return { event: 'url-limit', problem: overLimit }
  }

  /** Of the failed address nearest to the start. */
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
  async function commonExclusion(run: RunContext): Promise<Problem> {
    const counts = Object.entries(await frontier.countExclusions(run))
    const [[reason] = ['']] = counts.sort(([, one], [, other]) => other - one)
    if (!isReason(reason)) return { reason: 'empty-page', message: reasonText('empty-page') }
    return { reason, message: `No page is indexed. The most frequent reason: ${reasonText(reason)}` }
  }
}

function problemOf(row: { reason: string | null; message: string | null } | undefined): Problem | null {
  return row?.reason && row.message ? { reason: row.reason as ReasonCode, message: row.message } : null
}

/** Whether every visited address failed. */
function foundNothing(run: RunRow | undefined): boolean {
  return run !== undefined && run.failed > 0 && run.fetched + run.unchanged + countCanonicalized(run.exclusions) === 0
}

/** Pages that the site served, but that another address replaces. */
function countCanonicalized(exclusions: Record<string, number>): number {
  const reasons = ['duplicate', 'canonical', 'feed'] as const
  return reasons.reduce((sum, reason) => sum + (exclusions[exclusionKey('rejected', reason)] ?? 0), 0)
}
