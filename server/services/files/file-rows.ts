import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../../db/database'
import { sources } from '../../../db/schema/collections'
import { files } from '../../../db/schema/files'
import type { StagedFile } from './files'

// Each function returns the ids of the files that it deleted: their bytes are removed after the transaction.

/** Inserts the row of an upload in place of all files of its source, or of its waiting replacement only. */
export async function insertFile(
  tx: Transaction,
  { id, name, type, bytes, sha256 }: StagedFile,
  { isWaiting, ...owner }: { organizationId: string; sourceId: string; isWaiting: boolean },
): Promise<string[]> {
  const deleted = await deleteFiles(tx, owner.sourceId, isWaiting ? 'replacement' : 'all')
  await tx.insert(files).values({ ...owner, id, name, type, bytes, sha256, isWaiting })
  return deleted
}

/** Makes the waiting replacement the file of its source. Does nothing without one. */
export async function promoteReplacement(tx: Transaction, sourceId: string): Promise<string[]> {
  const [replacement] = await tx
    .select({ id: files.id, name: files.name })
    .from(files)
    .where(and(eq(files.sourceId, sourceId), eq(files.isWaiting, true)))
  if (!replacement) return []
  const deleted = await deleteFiles(tx, sourceId, 'current')
  await tx.update(files).set({ isWaiting: false }).where(eq(files.id, replacement.id))
  await tx.update(sources).set({ fileName: replacement.name }).where(eq(sources.id, sourceId))
  return deleted
}

/** The source keeps its current file. */
export function dropReplacement(tx: Transaction, sourceId: string): Promise<string[]> {
  return deleteFiles(tx, sourceId, 'replacement')
}

async function deleteFiles(
  tx: Transaction,
  sourceId: string,
  which: 'current' | 'replacement' | 'all',
): Promise<string[]> {
  const those = which === 'all' ? undefined : eq(files.isWaiting, which === 'replacement')
  const deleted = await tx
    .delete(files)
    .where(and(eq(files.sourceId, sourceId), those))
    .returning({ id: files.id })
  return deleted.map(({ id }) => id)
}
