import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { runs } from '../../../db/schema/collections'

type RunCounter =
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
  | 'embedded'

export type RunCounts = Partial<Record<RunCounter, number>>

/** Adds to the run's counters; negative numbers subtract. */
export async function addCounts(tx: Transaction, { runId }: { runId: string }, counts: RunCounts): Promise<void> {
  const set: Record<string, unknown> = {}
  for (const [name, count] of Object.entries(counts) as [RunCounter, number][]) {
    // Part of the statement's text, because SQLite reads bound numbers as fractions.
    if (count !== 0) set[name] = sql`${runs[name]} + ${sql.raw(String(Math.trunc(count)))}`
  }
  if (Object.keys(set).length > 0) await tx.update(runs).set(set).where(eq(runs.id, runId))
}

/**
 * Why an address is not indexed. `rejected`: the run visited it and found nothing to index. `withdrawn`: the same, but
 * it was indexed before. `skipped`: the run did not visit it.
 */
export type Exclusion = 'rejected' | 'withdrawn' | 'skipped'

/** The key under which `runs.exclusions` counts addresses. */
export function exclusionKey(exclusion: Exclusion, reason: string): string {
  return `${exclusion}:${reason}`
}

export function parseExclusionKey(key: string): { exclusion: Exclusion; reason: string } {
  const colon = key.indexOf(':')
  return { exclusion: key.slice(0, colon) as Exclusion, reason: key.slice(colon + 1) }
}

/** Counts a visit that found nothing to index. `wasIndexed`: the address loses the text it had. */
export async function countExcluded(
  tx: Transaction,
  run: { runId: string },
  reason: string,
  { wasIndexed, ...counts }: RunCounts & { wasIndexed: boolean },
): Promise<void> {
  const failed = wasIndexed ? 0 : (counts.failed ?? 0)
  await addCounts(tx, run, { ...counts, checked: 1, withdrawn: wasIndexed ? 1 : 0, failed })
  await addExcluded(tx, run, exclusionKey(wasIndexed ? 'withdrawn' : 'rejected', reason), 1)
}

/** Takes back `count` excluded visits, because the run visits these addresses again. */
export async function uncountExcluded(
  tx: Transaction,
  run: { runId: string },
  reason: string,
  count: number,
): Promise<void> {
  const rejected = -(await addExcluded(tx, run, exclusionKey('rejected', reason), -count))
  const withdrawn = -(await addExcluded(tx, run, exclusionKey('withdrawn', reason), rejected - count))
  await addCounts(tx, run, { checked: -rejected - withdrawn, withdrawn: -withdrawn })
}

/** A count never falls below 0. Returns the change that was made. */
async function addExcluded(tx: Transaction, { runId }: { runId: string }, key: string, by: number): Promise<number> {
  const [run] = await tx.select({ exclusions: runs.exclusions }).from(runs).where(eq(runs.id, runId))
  if (!run) return 0
  const { [key]: before = 0, ...others } = run.exclusions
  const after = Math.max(0, before + by)
  const exclusions = after > 0 ? { ...others, [key]: after } : others
  await tx.update(runs).set({ exclusions }).where(eq(runs.id, runId))
  return after - before
}
