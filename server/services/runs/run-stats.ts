import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { runs } from '../../../db/schema/collections'

type RunCounter = 'ignored' | 'fragments' | 'embedded'

/** Adds to what a run counts beside its visits; negative numbers subtract. */
export async function addCounts(
  tx: Transaction,
  { runId }: { runId: string },
  counts: Partial<Record<RunCounter, number>>,
): Promise<void> {
  const set: Record<string, unknown> = {}
  for (const [name, count] of Object.entries(counts) as [RunCounter, number][]) {
    // Part of the statement's text, because SQLite reads bound numbers as fractions.
    if (count !== 0) set[name] = sql`${runs[name]} + ${sql.raw(String(Math.trunc(count)))}`
  }
  if (Object.keys(set).length > 0) await tx.update(runs).set(set).where(eq(runs.id, runId))
}
