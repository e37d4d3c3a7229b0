import type { SearchThreads } from '../search-threads'
import { bytesForBlocks, layoutOf } from './copies/layout'
import type { CollectionSize } from './copies/read-chunks'
import type { CopyState } from './scan-requests'

/** Decides which collections have a copy of their vectors in shared memory: the most recently searched ones that fit. */
export interface VectorCache {
  /** The copy of a set, if it is complete. Marks the set as searched. */
  use(setId: string): Pick<Entry, 'id' | 'blocks' | 'lacksCoarseRows'> | null
  /** Handles what a thread reported about a copy. */
  report(setId: string, id: number, state: CopyState): void
  /** Starts to copy a set in the background if it is large enough. May evict others. */
  load(setId: string, size: CollectionSize): void
  /** Copies a set without evicting others. Resolves when it is complete; to false if there is no room. */
  preload(setId: string, size: CollectionSize): Promise<boolean>
  /** Copies a set that has a copy once more, and uses the first copy until the second is complete. */
  renew(setId: string, size: CollectionSize): void
  close(): void
}

export interface VectorCacheOptions {
  search: SearchThreads
  /** Total size of all copies. */
  maxBytes: number
  /** Chunks from which a set is worth copying. */
  minChunks: number
  /** A set searched within this time is not evicted. */
  minIdleMs: number
}

interface Entry {
  id: number
  setId: string
  bytes: number
  blocks: number
  usedAt: number
  /** Was complete once. Changes since then are small. */
  isReady: boolean
  filling: Promise<void> | null
  /** Whether it has nothing that can select candidates. */
  lacksCoarseRows: boolean
}

/** Delay before a failed copy is tried again. */
const retryDelayMs = 60_000

export function createVectorCache({ search, maxBytes, minChunks, minIdleMs }: VectorCacheOptions): VectorCache {
  /** Least recently used first. */
  const entries = new Map<string, Entry>()
  /** Copies that replace one of these when they are complete. */
  const renewals = new Map<string, Entry>()
  const retryAt = new Map<string, number>()
  let lastId = 0
  let isClosed = false
  // A thread that dies while it writes leaves its copy locked.
  search.onCrash(() => drop([...entries.values(), ...renewals.values()]))

  return {
    use(setId) {
      const entry = entries.get(setId)
      if (!entry) return null
      entry.usedAt = performance.now()
      entries.delete(setId)
      entries.set(setId, entry)
      return entry.isReady ? entry : null
    },

    report(setId, id, state) {
      const entry = entries.get(setId)
      if (entry?.id === id && state.status !== 'unused') update(entry, state)
    },

    load(setId, size) {
      if (isEligible(setId, size) && makeRoom(bytesOf(size))) startFilling(setId, size)
    },

    async preload(setId, size) {
      if (!isEligible(setId, size)) return true
      if (totalBytes() + bytesOf(size) > maxBytes) return false
      await startFilling(setId, size).filling
      return true
    },

    renew(setId, size) {
      const former = entries.get(setId)
      if (!former || isClosed) return
      // Without room for both, the set has no copy for a while.
      if (totalBytes() + bytesOf(size) > maxBytes) drop([former])
      if (makeRoom(bytesOf(size))) startFilling(setId, size)
    },

    close() {
      isClosed = true
      entries.clear()
      renewals.clear()
    },
  }

  function isEligible(setId: string, { chunks }: CollectionSize): boolean {
    const isDelayed = performance.now() < (retryAt.get(setId) ?? 0)
    return !isClosed && chunks >= minChunks && !entries.has(setId) && !isDelayed
  }

  function bytesOf({ chunks, dimensions, projectedWidth }: CollectionSize): number {
    return bytesForBlocks(layoutOf(dimensions, search.count, { projectedWidth }), capacityFor(chunks))
  }

  /** Blocks for a number of chunks, with spare ones, so that the copy need not grow soon. */
  function capacityFor(chunks: number): number {
    return chunks + 4 + (chunks >> 5)
  }

  function totalBytes(): number {
    return [...entries.values(), ...renewals.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  function makeRoom(bytes: number): boolean {
    const idle = [...entries.values()].filter(({ usedAt }) => performance.now() - usedAt >= minIdleMs)
    const evicted: Entry[] = []
    let total = totalBytes()
    for (const entry of idle) {
      if (total + bytes <= maxBytes) break
      total -= entry.bytes
      evicted.push(entry)
    }
    if (total + bytes > maxBytes) return false
    drop(evicted)
    return true
  }

  function startFilling(setId: string, size: CollectionSize): Entry {
    const id = ++lastId
    const bytes = bytesOf(size)
    const usedAt = performance.now()
    const entry: Entry = {
      id,
      setId,
      bytes,
      blocks: size.chunks,
      usedAt,
      isReady: false,
      filling: null,
      lacksCoarseRows: false,
    }
    if (entries.has(setId)) renewals.set(setId, entry)
    else entries.set(setId, entry)
    fill(entry, async () => {
      await search.startAll()
      const { dimensions, chunks } = size
      const created = await search.vectors({
        kind: 'create',
        copy: id,
        setId,
        dimensions,
        blocks: capacityFor(chunks),
        maxBytes,
      })
      entry.lacksCoarseRows = created.lacksCoarseRows
    })
    return entry
  }

  function fill(entry: Entry, create?: () => Promise<void>): void {
    entry.filling ??= fillCompletely(entry, create)
      // The threads are closing, memory is short, or the file cannot be read: searches report that themselves.
      .catch(() => giveUp(entry))
      .finally(() => {
        entry.filling = null
      })
  }

  async function fillCompletely(entry: Entry, create?: () => Promise<void>): Promise<void> {
    await create?.()
    while (isUsed(entry)) {
      const state = await search.vectors({ kind: 'fill', copy: entry.id })
      update(entry, state)
      if (state.status === 'behind') continue
      entry.isReady = true
      if (renewals.get(entry.setId) === entry) replace(entry)
      return
    }
  }

  function isUsed(entry: Entry): boolean {
    return entries.get(entry.setId) === entry || renewals.get(entry.setId) === entry
  }

  function replace(renewal: Entry): void {
    const { setId } = renewal
    const former = entries.get(setId)
    if (former) drop([former])
    renewals.delete(setId)
    entries.set(setId, renewal)
  }

  function update(entry: Entry, { status, bytes, blocks }: CopyState): void {
    if (status === 'unknown' || status === 'full') {
      giveUp(entry)
      return
    }
    entry.bytes = bytes
    entry.blocks = blocks
    const [first] = entries.values()
    if (first && totalBytes() > maxBytes) drop([first])
    if (status === 'behind') fill(entry)
  }

  function giveUp(entry: Entry): void {
    retryAt.set(entry.setId, performance.now() + retryDelayMs)
    drop([entry])
  }

  function drop(batch: Entry[]): void {
    const dropped = batch.filter(isUsed)
    for (const entry of dropped) {
      const list = renewals.get(entry.setId) === entry ? renewals : entries
      list.delete(entry.setId)
    }
    if (dropped.length > 0) search.broadcast({ drop: dropped.map(({ id }) => id) })
  }
}
