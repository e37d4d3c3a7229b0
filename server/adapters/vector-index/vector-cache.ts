import type { SearchThreads } from '../threads/search-threads'
import { bytesFor, layoutOf } from './copies/layout'
import type { CollectionSize } from './copies/read-chunks'
import type { CopyState } from './scan-requests'

/** Which collections have a copy of their vectors in memory: those that were searched last, as far as they fit. */
export interface VectorCopies {
  /** The copy of a collection, once it is whole. The collection counts as searched. */
  use(collectionId: string): { id: number; blocks: number } | null
  /** What a thread said of a copy that it was to use. */
  report(collectionId: string, id: number, state: CopyState): void
  /** Begins to copy a collection that is large enough, in the background; others may have to leave for it. */
  want(collectionId: string, size: CollectionSize): void
  /** Copies it if nothing has to leave for it, and resolves when that is done; false when there is no room. */
  warm(collectionId: string, size: CollectionSize): Promise<boolean>
  close(): void
}

export interface VectorCopiesOptions {
  search: SearchThreads
  /** For all copies together. */
  mostBytes: number
  /** Chunks from which on a copy is worth its memory. */
  leastChunks: number
  /** What was searched within this time does not leave for another one. */
  restMs: number
}

interface Entry {
  id: number
  collectionId: string
  bytes: number
  blocks: number
  usedAt: number
  /** It was whole once; what has come since is small. */
  isReady: boolean
  filling: Promise<void> | null
}

/** After a failure that would come again. */
const pauseMs = 60_000

export function createVectorCopies({ search, mostBytes, leastChunks, restMs }: VectorCopiesOptions): VectorCopies {
  /** The one used longest ago first. */
  const entries = new Map<string, Entry>()
  const pausedUntil = new Map<string, number>()
  let lastId = 0
  let isClosed = false
  // What a thread was writing when it died stays locked.
  search.onCrash(() => drop([...entries.values()]))

  return {
    use(collectionId) {
      const entry = entries.get(collectionId)
      if (!entry) return null
      entry.usedAt = performance.now()
      entries.delete(collectionId)
      entries.set(collectionId, entry)
      return entry.isReady ? entry : null
    },

    report(collectionId, id, state) {
      const entry = entries.get(collectionId)
      if (entry?.id === id && state.standing !== 'unused') settle(entry, state)
    },

    want(collectionId, size) {
      if (isWanted(collectionId, size) && makeRoom(bytesOf(size))) begin(collectionId, size)
    },

    async warm(collectionId, size) {
      if (!isWanted(collectionId, size)) return true
      if (held() + bytesOf(size) > mostBytes) return false
      await begin(collectionId, size).filling
      return true
    },

    close() {
      isClosed = true
      entries.clear()
    },
  }

  function isWanted(collectionId: string, { chunks }: CollectionSize): boolean {
    const isPaused = performance.now() < (pausedUntil.get(collectionId) ?? 0)
    return !isClosed && chunks >= leastChunks && !entries.has(collectionId) && !isPaused
  }

  function bytesOf({ chunks, dimensions }: CollectionSize): number {
    return bytesFor(layoutOf(dimensions, search.count), roomFor(chunks))
  }

  /** Some are free at the start, so that what comes next does not have to make it larger. */
  function roomFor(chunks: number): number {
    return chunks + 4 + (chunks >> 5)
  }

  function held(): number {
    return [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  function makeRoom(bytes: number): boolean {
    const rested = [...entries.values()].filter(({ usedAt }) => performance.now() - usedAt >= restMs)
    const leaving: Entry[] = []
    let left = held()
    for (const entry of rested) {
      if (left + bytes <= mostBytes) break
      left -= entry.bytes
      leaving.push(entry)
    }
    if (left + bytes > mostBytes) return false
    drop(leaving)
    return true
  }

  function begin(collectionId: string, size: CollectionSize): Entry {
    const id = ++lastId
    const bytes = bytesOf(size)
    const usedAt = performance.now()
    const entry: Entry = { id, collectionId, bytes, blocks: size.chunks, usedAt, isReady: false, filling: null }
    entries.set(collectionId, entry)
    fill(entry, async () => {
      await search.startAll()
      const { dimensions, chunks } = size
      await search.vectors({ kind: 'make', copy: id, collectionId, dimensions, blocks: roomFor(chunks), mostBytes })
    })
    return entry
  }

  function fill(entry: Entry, make?: () => Promise<void>): void {
    entry.filling ??= fillUp(entry, make)
      // The threads are closing, or there is no memory, or the file cannot be read: searches say so themselves.
      .catch(() => leave(entry))
      .finally(() => {
        entry.filling = null
      })
  }

  async function fillUp(entry: Entry, make?: () => Promise<void>): Promise<void> {
    await make?.()
    while (entries.get(entry.collectionId) === entry) {
      const state = await search.vectors({ kind: 'fill', copy: entry.id })
      settle(entry, state)
      if (state.standing === 'behind') continue
      entry.isReady = true
      return
    }
  }

  function settle(entry: Entry, { standing, bytes, blocks }: CopyState): void {
    if (standing === 'unknown' || standing === 'full') {
      leave(entry)
      return
    }
    entry.bytes = bytes
    entry.blocks = blocks
    const [first] = entries.values()
    if (first && held() > mostBytes) drop([first])
    if (standing === 'behind') fill(entry)
  }

  function leave(entry: Entry): void {
    pausedUntil.set(entry.collectionId, performance.now() + pauseMs)
    drop([entry])
  }

  function drop(some: Entry[]): void {
    const gone = some.filter((entry) => entries.get(entry.collectionId) === entry)
    for (const { collectionId } of gone) entries.delete(collectionId)
    if (gone.length > 0) search.broadcast({ drop: gone.map(({ id }) => id) })
  }
}
