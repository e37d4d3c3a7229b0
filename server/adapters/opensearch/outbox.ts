import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../db/database'

/** A fragment whose document in the search index is not what the record says, or may not be. */
export interface OutboxEntry {
  key: number
  collectionId: string
  /** Larger than that of each earlier delivery of the fragment. */
  revision: number
}

/** How long a delivery may take before another process repeats it. */
const leaseMs = 60_000

/**
 * Fragments that the search index lacks or still has. Entries are written in the transaction that changes the fragment, and
 * removed after their delivery; a fragment that changes meanwhile stays in.
 */
export function createOutbox(db: Database) {
  return {
    /**
     * Claims entries for a delivery, in the order of their changes. The revision is assigned here: the state of a fragment
     * that is read afterwards is at least as new as that of any delivery with a smaller one.
     */
    claim(limit: number): Promise<OutboxEntry[]> {
      return db.writeOne(async (tx) => {
        const now = Date.now()
        const rows = await tx.execute<{ key: number; collection_id: string; revision: number }>(
          sql`update search_outbox set revision = nextval('search_revisions'), leased_until = ${now + leaseMs}
            where key in (
              select key from search_outbox where leased_until <= ${now} order by revision limit ${limit}
              for update skip locked
            ) returning key, collection_id, revision`,
        )
        return rows.map(({ key, collection_id: collectionId, revision }) => ({ key, collectionId, revision }))
      })
    },

    /** Removes entries that were delivered, unless their fragments have changed since the claim. */
    async complete(entries: OutboxEntry[]): Promise<void> {
      await db.writeOne((tx) =>
        tx.execute(sql`delete from search_outbox o using ${listOf(entries)}
        where o.key = e.key and o.revision = e.revision`),
      )
    },

    /** Makes entries that were not delivered due again. */
    async release(entries: OutboxEntry[]): Promise<void> {
      await db.writeOne((tx) =>
        tx.execute(sql`update search_outbox o set leased_until = 0 from ${listOf(entries)}
        where o.key = e.key and o.revision = e.revision`),
      )
    },

    /** Entries that wait, and since when the first of them has. */
    async pending(collectionId?: string): Promise<{ count: number; oldest: Date | null }> {
      const ofCollection = collectionId === undefined ? sql`` : sql`where collection_id = ${collectionId}`
      const [row] = await db.read.execute<{ count: number; oldest: number | null }>(
        sql`select count(*) as count, min(queued_at) as oldest from search_outbox ${ofCollection}`,
      )
      const { count = 0, oldest = null } = row ?? {}
      return { count, oldest: oldest === null ? null : new Date(oldest) }
    },

    /** Assigns revisions to fragments of which nothing changed, whose documents are to be written again. */
    async revisions(count: number): Promise<number[]> {
      const rows = await db.read.execute<{ revision: number }>(
        sql`select nextval('search_revisions') as revision from generate_series(1, ${count}::int)`,
      )
      return rows.map(({ revision }) => revision)
    },
  }
}

/** Notes that the documents of fragments have to be written or deleted. */
export async function addToOutbox(tx: Transaction, collectionId: string, keys: number[]): Promise<void> {
  if (keys.length === 0) return
  await tx.execute(sql`insert into search_outbox (key, collection_id, queued_at)
    select key::bigint, ${collectionId}, ${Date.now()} from json_array_elements_text(${JSON.stringify(keys)}::json) key
    order by 1
    on conflict (key) do update set revision = nextval('search_revisions'), leased_until = 0`)
}

function listOf(entries: OutboxEntry[]) {
  const list = JSON.stringify(entries.map(({ key, revision }) => ({ key, revision })))
  return sql`json_to_recordset(${list}::json) as e(key bigint, revision bigint)`
}
