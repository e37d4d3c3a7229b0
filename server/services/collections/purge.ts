import { eq, type SQL } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import type { Files } from '../files/files'
import { type Indexes, removeFragments } from '../fragments/fragments'

const atOnce = 500

/** Removes what was deleted, piece by piece, so that no transaction is long. Each may be called again at any point. */
export function createSweeping({
  db,
  indexes,
  files: { removeBytes },
}: {
  db: Database
  indexes: Indexes
  files: Pick<Files, 'removeBytes'>
}) {
  async function sweepCollection(collectionId: string): Promise<void> {
    await sweepFragments(eq(fragments.collectionId, collectionId))
    await sweepAddresses(eq(addresses.collectionId, collectionId))
    await sweepFiles(eq(sources.collectionId, collectionId))
    await db.write((tx) => tx.delete(collections).where(eq(collections.id, collectionId)))
  }

  async function sweepSource(sourceId: string): Promise<void> {
    await sweepFragments(eq(fragments.sourceId, sourceId))
    await sweepAddresses(eq(addresses.sourceId, sourceId))
    await sweepFiles(eq(sources.id, sourceId))
    await db.write((tx) => tx.delete(sources).where(eq(sources.id, sourceId)))
  }

  async function sweepFragments(which: SQL): Promise<void> {
    for (;;) {
      const rows = await db.read
        .select({ key: fragments.key, collectionId: fragments.collectionId })
        .from(fragments)
        .where(which)
        .limit(atOnce)
      const [first] = rows
      if (!first) return
      await db.write((tx) =>
        removeFragments(
          tx,
          indexes,
          first.collectionId,
          rows.map((row) => row.key),
        ),
      )
    }
  }

  async function sweepAddresses(which: SQL): Promise<void> {
    for (;;) {
      const rows = await db.read.select({ id: addresses.id }).from(addresses).where(which).limit(atOnce)
      if (rows.length === 0) return
      await db.write(async (tx) => {
        for (const row of rows) await tx.delete(addresses).where(eq(addresses.id, row.id))
      })
    }
  }

  /** Bytes go before their rows, which go with the source: without a row nobody would know of them. */
  async function sweepFiles(which: SQL): Promise<void> {
    const rows = await db.read
      .select({ id: files.id })
      .from(files)
      .innerJoin(sources, eq(sources.id, files.sourceId))
      .where(which)
    await removeBytes(rows.map((row) => row.id))
  }

  return { collection: sweepCollection, source: sweepSource }
}
