import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/database'

/** Remembers over a restart which collections are searched. */
export interface VectorMemory {
  /** Written in the background, and not each time. */
  searched(collectionId: string): void
  /** The last one first. */
  lastSearched(): Promise<string[]>
  close(): Promise<void>
}

const everyMs = 600_000
const mostCollections = 200

/** Writes behind searches, and warns where that fails; nothing waits for it. */
export function createVectorMemory({
  database,
  log,
}: {
  database: Database
  log?: { warn(details: object, message: string): void }
}): VectorMemory {
  const writtenAt = new Map<string, number>()
  let writing = Promise.resolve()
  let isClosed = false

  return {
    searched(collectionId) {
      const now = Date.now()
      if (isClosed || now - (writtenAt.get(collectionId) ?? 0) < everyMs) return
      writtenAt.set(collectionId, now)
      writing = writing
        .then(() =>
          database.write(async (tx) => {
            await tx.execute(
              sql`update vector_revisions set searched_at = ${BigInt(now)} where collection_id = ${collectionId}`,
            )
          }),
        )
        .catch((error) => log?.warn({ err: error }, 'It could not be stored which collections are searched.'))
    },

    async lastSearched() {
      const rows = await database.read.execute<{ collection_id: string }>(
        sql`select collection_id from vector_revisions where searched_at is not null
          order by searched_at desc limit ${BigInt(mostCollections)}`,
      )
      return rows.map((row) => row.collection_id)
    },

    async close() {
      isClosed = true
      await writing
    },
  }
}
