import { desc, inArray } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { fragments, textIndexBacklog } from '../../../db/schema/addresses'
import { type Indexes, indexedText } from '../fragments/fragments'

// Few enough that no transaction holds the event loop, or others that write, for long.
const rowsAtOnce = 20

/** Gives fragments their words that lost them when a version began to index otherwise. */
export function createWords({ db, indexes }: { db: Database; indexes: Pick<Indexes, 'text'> }) {
  /** Indexes the next ones, the newest first; returns how many were looked at, 0 when none is left. */
  async function indexNext(): Promise<number> {
    return db.write(async (tx) => {
      const missing = await tx.select().from(textIndexBacklog).orderBy(desc(textIndexBacklog.key)).limit(rowsAtOnce)
      const keys = missing.map(({ key }) => key)
      if (keys.length === 0) return 0
      const rows = await tx.select().from(fragments).where(inArray(fragments.key, keys))
      await indexes.text.add(tx, rows.map(indexedText))
      await tx.delete(textIndexBacklog).where(inArray(textIndexBacklog.key, keys))
      return keys.length
    })
  }

  return { indexNext }
}
