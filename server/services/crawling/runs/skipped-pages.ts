import { and, count, eq, isNull, ne, or } from 'drizzle-orm'
import { isNote, type ReasonCode } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import type { RunContext } from '../../runs/run-context'
import { exclusionKey } from '../../runs/run-stats'
import type { SourceEvent } from '../../runs/transitions'

/** The exclusions that the run counted, and the excluded addresses that it did not visit. */
export async function addSkippedCounts(
  tx: Transaction,
  run: RunContext,
  event: SourceEvent,
  exclusionsNow: Record<string, number>,
): Promise<Record<string, number>> {
  const [row] = await tx.select({ exclusions: runs.exclusions }).from(runs).where(eq(runs.id, run.runId))
  const counted = row?.exclusions ?? {}
  const skipped: Record<string, number> = {}
  for (const [reason, many] of Object.entries(exclusionsNow)) {
    const rejected = counted[exclusionKey('rejected', reason)] ?? 0
    const withdrawn = counted[exclusionKey('withdrawn', reason)] ?? 0
    if (many > rejected + withdrawn) skipped[exclusionKey('skipped', reason)] = many - rejected - withdrawn
  }
  const unvisited = await countUnvisited(tx, run, event)
  if (unvisited) {
    const key = exclusionKey('skipped', unvisited.reason)
    skipped[key] = (skipped[key] ?? 0) + unvisited.many
  }
  return { ...counted, ...skipped }
}

/** Why a full run ends before it visited all addresses. */
const earlyEnds: Partial<Record<SourceEvent, ReasonCode>> = {
  cancelled: 'cancelled',
  'crawl-limit': 'crawl-limit',
  failed: 'crawl-failed',
}

/** Addresses without a reason of their own that a run did not visit before its early end. */
async function countUnvisited(
  tx: Transaction,
  { source, runId, kind }: RunContext,
  event: SourceEvent,
): Promise<{ reason: ReasonCode; many: number } | null> {
  const reason = earlyEnds[event]
  if (!reason || kind !== 'full') return null
  const rows = await tx
    .select({ reason: addresses.reason, many: count() })
    .from(addresses)
    .where(and(eq(addresses.sourceId, source.id), or(isNull(addresses.runId), ne(addresses.runId, runId))))
    .groupBy(addresses.reason)
  const unexplained = rows.filter(({ reason }) => reason === null || isNote(reason))
  const many = unexplained.reduce((sum, { many }) => sum + many, 0)
  return many > 0 ? { reason, many } : null
}
