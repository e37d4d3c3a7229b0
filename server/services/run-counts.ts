import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../db/database'
import { runs } from '../../db/schema/collections'

export type RunCounts = Partial<
  Record<
    | 'checked'
    | 'fetched'
    | 'unchanged'
    | 'changed'
    | 'new'
    | 'withdrawn'
    | 'failed'
    | 'ignored'
    | 'bytes'
    | 'fragments'
    | 'embedded',
    number
  >
>

/** Adds to what the run has done so far; less than 0 takes away. */
export async function addCounts(tx: Transaction, { runId }: { runId: string }, counts: RunCounts): Promise<void> {
  const set: Record<string, unknown> = {}
  for (const [name, by] of Object.entries(counts) as [keyof RunCounts & string, number][]) {
    // As text of the statement: bound numbers are fractions to SQLite.
    if (by !== 0) set[name] = sql`${runs[name]} + ${sql.raw(String(Math.trunc(by)))}`
  }
  if (Object.keys(set).length > 0) await tx.update(runs).set(set).where(eq(runs.id, runId))
}
