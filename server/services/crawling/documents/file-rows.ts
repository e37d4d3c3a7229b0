import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../../../db/database'
import { sources } from '../../../../db/schema/collections'
import { files } from '../../../../db/schema/files'
import type { StagedFile } from '../../files/files'
import type { SourceRow } from '../../sources/source-settings'

// Each resolves to the ids of the files that went with it: their bytes are taken away when that is stored.

/**
 * The row of a file that is kept, in the place of all that its source had; or of the one that waited alone, where this
 * one is to wait as well.
 */
export async function insertFile(
  tx: Transaction,
  { id, name, type, bytes, sha256 }: StagedFile,
  { isWaiting, ...owner }: { organizationId: string; sourceId: string; isWaiting: boolean },
): Promise<string[]> {
  const gone = await deleteFiles(tx, owner.sourceId, isWaiting ? 'waiting' : 'all')
  await tx.insert(files).values({ ...owner, id, name, type, bytes, sha256, isWaiting })
  return gone
}

/** The file that waited was read: it is its source's from now on. Nothing happens where none waits. */
export async function promoteReplacement(
  tx: Transaction,
  { id: sourceId, type }: Pick<SourceRow, 'id' | 'type'>,
): Promise<string[]> {
  if (type !== 'file') return []
  const [waiting] = await tx
    .select({ id: files.id, name: files.name })
    .from(files)
    .where(and(eq(files.sourceId, sourceId), eq(files.isWaiting, true)))
  if (!waiting) return []
  const gone = await deleteFiles(tx, sourceId, 'own')
  await tx.update(files).set({ isWaiting: false }).where(eq(files.id, waiting.id))
  await tx.update(sources).set({ fileName: waiting.name }).where(eq(sources.id, sourceId))
  return gone
}

/** The source keeps the file that it has. */
export function dropReplacement(tx: Transaction, sourceId: string): Promise<string[]> {
  return deleteFiles(tx, sourceId, 'waiting')
}

async function deleteFiles(tx: Transaction, sourceId: string, which: 'own' | 'waiting' | 'all'): Promise<string[]> {
  const those = which === 'all' ? undefined : eq(files.isWaiting, which === 'waiting')
  const gone = await tx
    .delete(files)
    .where(and(eq(files.sourceId, sourceId), those))
    .returning({ id: files.id })
  return gone.map(({ id }) => id)
}
