import { and, count, eq, isNull, ne, or } from 'drizzle-orm'
import { isNote, type ReasonCode } from '../../../../contract/reasons'
import type { Transaction } from '../../../../db/database'
import { addresses } from '../../../../db/schema/addresses'
import { runs } from '../../../../db/schema/collections'
import type { SourceEvent } from '../transitions'
import type { RunContext } from './run-context'
import { exclusionKey } from './run-stats'

/** The run's looks by reason, and with them those that are out although it did not look at them. */
export async function withSkipped(
  tx: Transaction,
  work: RunContext,
  cause: SourceEvent,
  outNow: Record<string, number>,
): Promise<Record<string, number>> {
  const [run] = await tx.select({ exclusions: runs.exclusions }).from(runs).where(eq(runs.id, work.runId))
  const looked = run?.exclusions ?? {}
  const left = Object.entries(outNow).flatMap(([reason, many]) => {
    const seen = (looked[exclusionKey('rejected', reason)] ?? 0) + (looked[exclusionKey('withdrawn', reason)] ?? 0)
    return many > seen ? [[exclusionKey('skipped', reason), many - seen]] : []
  })
  const leftOut: Record<string, number> = Object.fromEntries(left)
  for (const [reason, many] of Object.entries(await countUnread(tx, work, cause))) {
    const key = exclusionKey('skipped', reason)
    leftOut[key] = (leftOut[key] ?? 0) + many
  }
  return { ...looked, ...leftOut }
}

/** Why a run that is to look at all of its source ends before it did. */
const cutShort: Partial<Record<SourceEvent, ReasonCode>> = {
  cancelled: 'cancelled',
  'crawl-limit': 'crawl-limit',
  failed: 'crawl-failed',
}

/** Addresses that nothing is told of, and that a run that is cut short did not look at, by why it is. */
async function countUnread(
  tx: Transaction,
  { source, runId, kind }: RunContext,
  cause: SourceEvent,
): Promise<Record<string, number>> {
  const reason = cutShort[cause]
  if (!reason || kind !== 'full') return {}
  const rows = await tx
    .select({ told: addresses.reason, many: count() })
    .from(addresses)
    .where(and(eq(addresses.sourceId, source.id), or(isNull(addresses.runId), ne(addresses.runId, runId))))
    .groupBy(addresses.reason)
  const untold = rows.filter(({ told }) => told === null || isNote(told))
  const many = untold.reduce((sum, { many }) => sum + many, 0)
  return many > 0 ? { [reason]: many } : {}
}
