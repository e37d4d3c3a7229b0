import { and, eq } from 'drizzle-orm'
import type { Queries } from '../../../db/database'
import { collections, runs, sources } from '../../../db/schema/collections'
import type { RunContext } from './run-context'

/** What people did to a run since it was enqueued. */
export type RunState = 'running' | 'paused' | 'cancelled' | 'deleted'

const pollMs = 1_000

export async function runState(queries: Queries, { source, runId }: RunContext): Promise<RunState> {
  const [found] = await queries
    .select({
      cancelledAt: runs.cancelledAt,
      pausedAt: sources.pausedAt,
      deletedAt: sources.deletedAt,
      collectionDeletedAt: collections.deletedAt,
    })
    .from(runs)
    .innerJoin(sources, eq(sources.id, runs.sourceId))
    .innerJoin(collections, eq(collections.id, sources.collectionId))
    .where(and(eq(runs.id, runId), eq(sources.id, source.id)))
  if (!found || found.deletedAt || found.collectionDeletedAt) return 'deleted'
  if (found.cancelledAt) return 'cancelled'
  return found.pausedAt ? 'paused' : 'running'
}

/** Runs a long `step` with a signal that aborts when somebody pauses or ends the run; 'interrupted' where it did. */
export async function interruptible<Result>(
  run: RunContext,
  signal: AbortSignal,
  step: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | 'interrupted'> {
  const interrupt = new AbortController()
  const timer = setInterval(async () => {
    const state = await runState(run.db.read, run).catch(() => 'running')
    if (state !== 'running') interrupt.abort()
  }, pollMs)
  try {
    return await step(AbortSignal.any([signal, interrupt.signal]))
  } catch (error) {
    if (interrupt.signal.aborted && !signal.aborted) return 'interrupted'
    throw error
  } finally {
    clearInterval(timer)
  }
}
