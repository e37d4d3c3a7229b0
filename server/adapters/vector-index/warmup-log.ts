import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/database'

/** Records which collections are searched, so that they can be cached after a restart. */
export interface WarmupLog {
  /** Writes in the background, at most every ten minutes per collection. */
  record(collectionId: string): void
  /** The collections, most recently searched first. */
  list(): Promise<string[]>
  close(): Promise<void>
}

const minIntervalMs = 600_000
const maxCollections = 200

/** Nothing waits for the writes; a failure is logged as a warning. */
export function createWarmupLog({
  database,
  log,
}: {
  database: Database
  log?: { warn(details: object, message: string): void }
}): WarmupLog {
  const writtenAt = new Map<string, number>()
  let writing = Promise.resolve()
  let isClosed = false

  return {
    record(collectionId) {
      const now = Date.now()
      if (isClosed || now - (writtenAt.get(collectionId) ?? 0) < minIntervalMs) return
      writtenAt.set(collectionId, now)
      writing = writing
        .then(() =>
          database.write(async (tx) => {
            await tx.execute(
              sql`update vector_revisions set searched_at = ${BigInt(now)} where collection_id = ${collectionId}`,
            )
          }),
        )
        .catch((error) => log?.warn({ err: error }, 'The search time of a collection could not be stored.'))
    },

    async list() {
      const rows = await database.read.execute<{ collection_id: string }>(
        sql`select collection_id from vector_revisions where searched_at is not null
          order by searched_at desc limit ${BigInt(maxCollections)}`,
      )
      return rows.map((row) => row.collection_id)
    },

    async close() {
      isClosed = true
      await writing
    },
  }
}
