import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'
import { runs } from '../../../../db/schema/collections'

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

/** Of a look after which an address is not in, `withdrawn`: it was in before; and of addresses that were not looked at. */
export type OutKind = 'refused' | 'withdrawn' | 'left-out'

const kindMark: Record<OutKind, string> = { refused: '', withdrawn: 'withdrawn:', 'left-out': 'left-out:' }

/** Under which a run stores how many addresses are out for the reason. */
export function outKey(kind: OutKind, reason: string): string {
  return kindMark[kind] + reason
}

/** What was stored under `outKey`. */
export function readOutKey(key: string): { kind: OutKind; reason: string } {
  const kind = key.startsWith(kindMark.withdrawn)
    ? 'withdrawn'
    : key.startsWith(kindMark['left-out'])
      ? 'left-out'
      : 'refused'
  return { kind, reason: key.slice(kindMark[kind].length) }
}

/** A look that ended without a text of the address's own. `wasIn`: it had one before, which goes. */
export async function countOut(
  tx: Transaction,
  run: { runId: string },
  reason: string,
  wasIn: boolean,
  more: RunCounts = {},
): Promise<void> {
  await addCounts(tx, run, { ...more, checked: 1, withdrawn: wasIn ? 1 : 0, failed: wasIn ? 0 : (more.failed ?? 0) })
  await addOut(tx, run, outKey(wasIn ? 'withdrawn' : 'refused', reason), 1)
}

/** So many that are out for this reason are looked at once more: only that look counts. */
export async function countAgain(tx: Transaction, run: { runId: string }, reason: string, many: number): Promise<void> {
  const refused = -(await addOut(tx, run, outKey('refused', reason), -many))
  const withdrawn = -(await addOut(tx, run, outKey('withdrawn', reason), refused - many))
  await addCounts(tx, run, { checked: -refused - withdrawn, withdrawn: -withdrawn })
}

/** Never less than none. Resolves to what was added. */
async function addOut(tx: Transaction, { runId }: { runId: string }, key: string, by: number): Promise<number> {
  const [run] = await tx.select({ refusals: runs.refusals }).from(runs).where(eq(runs.id, runId))
  if (!run) return 0
  const { [key]: before = 0, ...others } = run.refusals
  const now = Math.max(0, before + by)
  const refusals = now > 0 ? { ...others, [key]: now } : others
  await tx.update(runs).set({ refusals }).where(eq(runs.id, runId))
  return now - before
}
