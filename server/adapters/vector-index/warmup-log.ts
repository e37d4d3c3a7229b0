import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/database'

/** Records which collections are searched, so that they can be cached after a restart. */
export interface WarmupLog {
  /** Writes in the background, at most every ten minutes per collection. */
  record(setId: string): void
  /** The sets, most recently searched first. */
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
    record(setId) {
      const now = Date.now()
      if (isClosed || now - (writtenAt.get(setId) ?? 0) < minIntervalMs) return
      writtenAt.set(setId, now)
      writing = writing
        .then(() =>
          database.write(async (tx) => {
            await tx.execute(sql`update vector_revisions set searched_at = ${BigInt(now)} where set_id = ${setId}`)
          }),
        )
        .catch((error) => log?.warn({ err: error }, 'The search time of a collection could not be stored.'))
    },

    async list() {
      const rows = await database.read.execute<{ set_id: string }>(
        sql`select set_id from vector_revisions where searched_at is not null
          order by searched_at desc limit ${BigInt(maxCollections)}`,
      )
      return rows.map((row) => row.set_id)
    },

    async close() {
      isClosed = true
      await writing
    },
  }
}
