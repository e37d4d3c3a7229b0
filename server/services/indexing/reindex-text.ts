import { desc, inArray } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { fragments, textIndexBacklog } from '../../../db/schema/addresses'
import { type Indexes, indexedText } from '../fragments/fragments'
import { enqueue } from '../jobs/jobs'

// A transaction blocks the event loop and other writers.
const maxRowsPerTransaction = 20

/** Fills the text index after a migration that emptied it. */
export function createTextReindexing({ db, indexes }: { db: Database; indexes: Pick<Indexes, 'text'> }) {
  /** Indexes the next fragments of the backlog, newest first. Returns how many rows left the backlog, 0 at its end. */
  async function indexNext(): Promise<number> {
    return db.write(async (tx) => {
      const missing = await tx
        .select()
        .from(textIndexBacklog)
        .orderBy(desc(textIndexBacklog.key))
        .limit(maxRowsPerTransaction)
      const keys = missing.map(({ key }) => key)
      if (keys.length === 0) return 0
      const rows = await tx.select().from(fragments).where(inArray(fragments.key, keys))
      await indexes.text.add(tx, rows.map(indexedText))
      await tx.delete(textIndexBacklog).where(inArray(textIndexBacklog.key, keys))
      return keys.length
    })
  }

  /** Enqueues the job if fragments are missing from the index: a migration lists them. */
  async function request(): Promise<void> {
    const [missing] = await db.read.select().from(textIndexBacklog).limit(1)
    if (missing) await db.write((tx) => enqueue(tx, { kind: 'reindex-text', payload: {}, dedupeKey: 'reindex-text' }))
  }

  return { indexNext, request }
}
