import type { VectorCopy } from './collection-copy'
import type { ChunkReader } from './read-chunks'

/** Whether a copy matches its set, lacks changes of it, or has no room for all of it. */
export type SyncStatus = 'current' | 'behind' | 'full'

/**
 * Updates a copy to the current state of its set if at most `maxChunks` chunks differ. With `allowPartial`, updates
 * as many chunks even if more differ.
 */
export function sync(
  copy: VectorCopy,
  chunks: ChunkReader,
  setId: string,
  { maxChunks, allowPartial }: { maxChunks: number; allowPartial: boolean },
): SyncStatus {
  // A set loses its revision with its last vector, and gets a new one with its next.
  const latest = chunks.revisionOf(setId) ?? 0
  if (latest !== 0 && copy.revision() >= latest) return 'current'
  return copy.withLock(() => chunks.inTransaction(write)) ?? 'behind'

  function write(): SyncStatus {
    const revision = chunks.revisionOf(setId) ?? 0
    // Another thread has updated it.
    if (revision !== 0 && copy.revision() >= revision) return 'current'
    const listed = chunks.list(setId)
    const removed = copy.blocksByChunk()
    const known = new Map(removed)
    const changed: [chunkId: number, revision: number][] = []
    for (const chunk of listed) {
      removed.delete(chunk[0])
      if (known.get(chunk[0])?.revision !== chunk[1]) changed.push(chunk)
    }
    if (changed.length > maxChunks && !allowPartial) return 'behind'
    for (const { block } of removed.values()) copy.free(block)
    for (const [chunkId, changedAt] of changed.slice(0, maxChunks)) {
      const block = known.get(chunkId)?.block ?? null
      if (!copy.write(block, chunkId, changedAt, chunks.read(chunkId))) return 'full'
    }
    if (changed.length > maxChunks) return 'behind'
    copy.setRevision(revision)
    return 'current'
  }
}
