import type { VectorCopy } from './collection-copy'
import type { ChunkReader } from './read-chunks'

/** How a copy stands to its collection: as it is, some chunks behind it, or without room for all of it. */
export type Standing = 'current' | 'behind' | 'full'

/**
 * Makes the copy what the collection is at this moment, where at most `most` chunks differ. `partly`: otherwise so many
 * of them are written all the same; there are then that many less to come.
 */
export function follow(
  copy: VectorCopy,
  chunks: ChunkReader,
  collectionId: string,
  { most, partly }: { most: number; partly: boolean },
): Standing {
  // A collection that lost its last vector has no revision, and a new one when it gets vectors again.
  const wanted = chunks.revisionOf(collectionId) ?? 0
  if (wanted !== 0 && copy.revision() >= wanted) return 'current'
  return copy.alone(() => chunks.atOnce(write)) ?? 'behind'

  function write(): Standing {
    const revision = chunks.revisionOf(collectionId) ?? 0
    // Another thread was faster.
    if (revision !== 0 && copy.revision() >= revision) return 'current'
    const listed = chunks.list(collectionId)
    const gone = copy.directory()
    const known = new Map(gone)
    const changed: [chunkId: number, revision: number][] = []
    for (const chunk of listed) {
      gone.delete(chunk[0])
      if (known.get(chunk[0])?.revision !== chunk[1]) changed.push(chunk)
    }
    if (changed.length > most && !partly) return 'behind'
    for (const { block } of gone.values()) copy.free(block)
    for (const [chunkId, changedAt] of changed.slice(0, most)) {
      const chunk = chunks.read(chunkId)
      if (!chunk) throw new Error(`The chunk ${chunkId} of vectors is missing.`)
      if (!copy.write(known.get(chunkId)?.block ?? null, chunkId, changedAt, chunk)) return 'full'
    }
    if (changed.length > most) return 'behind'
    copy.setRevision(revision)
    return 'current'
  }
}
