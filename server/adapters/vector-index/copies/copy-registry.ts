import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { attachCopy, createCopyMemory, type VectorCopy } from './collection-copy'
import { type Layout, layoutOf } from './layout'

/** The copies that this thread has. */
export interface CopyRegistry {
  /** Throws if memory is short. */
  create(copy: CopyOptions): RegisteredCopy
  find(id: number): Promise<RegisteredCopy | null>
  drop(ids: number[]): void
  close(): void
}

export interface CopyOptions {
  id: number
  setId: string
  dimensions: number
  blocks: number
  maxBytes: number
  /** Rows of the projection, one after another; null for none. */
  matrix: Float32Array | null
  /** The first numbers of each vector that have most of its variance; null if that takes too many. */
  leadingWidth: number | null
}

export interface RegisteredCopy {
  setId: string
  /** Whether a part of each row, or its projection, has most of its variance, so that it can select candidates. */
  hasCoarseRows: boolean
  copy: VectorCopy
  bytes(): number
}

/** What one thread sends to the others. */
interface Shared {
  id: number
  setId: string
  hasCoarseRows: boolean
  layout: Layout
  memory: WebAssembly.Memory
}

const maxWaitMs = 50

/**
 * Threads share copies over a broadcast channel rather than through the main thread, because a thread keeps memory that it
 * has referred to until its next garbage collection, which is rare in the main thread. `threads` is their number.
 */
export function createCopyRegistry(channelName: string, threads: number): CopyRegistry {
  const copies = new Map<number, RegisteredCopy>()
  const droppedBeforeArrival = new Set<number>()
  const channel = new BroadcastChannel(channelName)
  channel.unref()
  channel.onmessage = (event: unknown) => {
    const { data } = event as { data: Shared }
    if (droppedBeforeArrival.delete(data.id)) return
    try {
      add(data)
    } catch {
      // Without memory for it, this thread does not have the copy, and reports that when it is asked.
    }
  }

  return {
    create({ id, setId, dimensions, blocks, maxBytes, matrix, leadingWidth }) {
      const layout = layoutOf(dimensions, threads, {
        ...(leadingWidth === null ? {} : { headWidth: leadingWidth }),
        ...(matrix ? { projectedWidth: matrix.length / dimensions } : {}),
      })
      const memory = createCopyMemory(layout, blocks, maxBytes, matrix)
      const shared = { id, setId, hasCoarseRows: matrix !== null || leadingWidth !== null, layout, memory }
      channel.postMessage(shared)
      return add(shared)
    },

    async find(id) {
      // A copy that another thread has just created may not have arrived yet.
      for (const deadline = Date.now() + maxWaitMs; !copies.has(id) && Date.now() < deadline; ) await sleep(1)
      return copies.get(id) ?? null
    },

    drop(ids) {
      // Also releases copies that have not arrived yet.
      for (const id of ids) if (!copies.delete(id)) droppedBeforeArrival.add(id)
    },

    close: () => channel.close(),
  }

  function add({ id, setId, hasCoarseRows, layout, memory }: Shared): RegisteredCopy {
    const copy = attachCopy(memory, layout)
    const first = { setId, hasCoarseRows, copy, bytes: () => memory.buffer.byteLength }
    copies.set(id, first)
    return first
  }
}
