import { eq, type SQL } from 'drizzle-orm'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { collections, runs, sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import type { Files } from '../files/files'
import { type Indexes, removeFragments } from '../fragments/fragments'
import { deleteRun } from '../runs/runs'

const batchSize = 500

/** Deletes the rows of deleted collections and sources in short transactions. Interrupted calls can be repeated. */
export function createPurge({
  db,
  indexes,
  files: { removeBytes },
}: {
  db: Database
  indexes: Indexes
  files: Pick<Files, 'removeBytes'>
}) {
  async function purgeCollection(collectionId: string): Promise<void> {
    await purgeFragments(eq(fragments.collectionId, collectionId))
    await purgeAddresses(eq(addresses.collectionId, collectionId))
    await purgeRuns(eq(sources.collectionId, collectionId))
    await purgeFiles(eq(sources.collectionId, collectionId))
    await db.write((tx) => tx.delete(collections).where(eq(collections.id, collectionId)))
  }

  async function purgeSource(sourceId: string): Promise<void> {
    await purgeFragments(eq(fragments.sourceId, sourceId))
    await purgeAddresses(eq(addresses.sourceId, sourceId))
    await purgeRuns(eq(sources.id, sourceId))
    await purgeFiles(eq(sources.id, sourceId))
    await db.write((tx) => tx.delete(sources).where(eq(sources.id, sourceId)))
  }

  async function purgeRuns(ofSources: SQL): Promise<void> {
    const rows = await db.read
      .select({ id: runs.id })
      .from(runs)
      .innerJoin(sources, eq(sources.id, runs.sourceId))
      .where(ofSources)
    for (const { id } of rows) await deleteRun(db, id)
  }

  async function purgeFragments(condition: SQL): Promise<void> {
    for (;;) {
      const rows = await db.read
        .select({ key: fragments.key, collectionId: fragments.collectionId })
        .from(fragments)
        .where(condition)
        .limit(batchSize)
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

  async function purgeAddresses(condition: SQL): Promise<void> {
    for (;;) {
      const rows = await db.read.select({ id: addresses.id }).from(addresses).where(condition).limit(batchSize)
      if (rows.length === 0) return
      await db.write(async (tx) => {
        for (const row of rows) await tx.delete(addresses).where(eq(addresses.id, row.id))
      })
    }
  }

  /** Deletes the files before their rows, which cascade with the source, so that no file remains without a row. */
  async function purgeFiles(condition: SQL): Promise<void> {
    const rows = await db.read
      .select({ id: files.id })
      .from(files)
      .innerJoin(sources, eq(sources.id, files.sourceId))
      .where(condition)
    await removeBytes(rows.map((row) => row.id))
  }

  return { collection: purgeCollection, source: purgeSource }
}
