import { setImmediate as nextTurn } from 'node:timers/promises'
import { inArray, type SQL } from 'drizzle-orm'
import type { Database } from '../../../../db/database'
import { threads } from '../../../../db/schema/threads'

const batchSize = 20

/** Deletes threads with their messages, in short transactions, the oldest first. Returns how many, at most `max`. */
export async function deleteThreads(
  db: Database,
  condition: SQL | undefined,
  { max = Number.POSITIVE_INFINITY, signal }: { max?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let deleted = 0
  while (deleted < max && !signal?.aborted) {
    const found = await db.read
      .select({ id: threads.id })
      .from(threads)
      .where(condition)
      .orderBy(threads.createdAt, threads.id)
      .limit(Math.min(batchSize, max - deleted))
    if (found.length === 0) break
    const ids = found.map(({ id }) => id)
    await db.write((tx) => tx.delete(threads).where(inArray(threads.id, ids)))
    deleted += ids.length
    // Requests go on between two batches.
    await nextTurn()
  }
  return deleted
}
