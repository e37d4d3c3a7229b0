import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { attachCopy, createCopyMemory, type VectorCopy } from './collection-copy'
import { type Layout, layoutOf } from './layout'

/** The copies that this thread holds. */
export interface HeldCopies {
  /** Throws where there is no memory. */
  make(copy: HeldCopyOptions): HeldCopy
  find(id: number): Promise<HeldCopy | null>
  drop(ids: number[]): void
  close(): void
}

export interface HeldCopyOptions {
  id: number
  collectionId: string
  dimensions: number
  blocks: number
  mostBytes: number
}

export interface HeldCopy {
  collectionId: string
  copy: VectorCopy
  bytes(): number
}

/** What one thread gives the others. */
interface Shared {
  id: number
  collectionId: string
  layout: Layout
  memory: WebAssembly.Memory
}

const longestWaitMs = 50

/**
 * Threads give copies to one another on a channel of this name, past the main thread: whoever once held a memory keeps
 * it until its garbage is collected, which takes the main thread long. `threads`: how many there are.
 */
export function createHeldCopies(channelName: string, threads: number): HeldCopies {
  const held = new Map<number, HeldCopy>()
  const droppedEarly = new Set<number>()
  const channel = new BroadcastChannel(channelName)
  channel.unref()
  channel.onmessage = (event: unknown) => {
    const { data } = event as { data: Shared }
    if (droppedEarly.delete(data.id)) return
    try {
      hold(data)
    } catch {
      // Where there is no memory for it this thread does not have it, and says so when it is asked.
    }
  }

  return {
    make({ id, collectionId, dimensions, blocks, mostBytes }) {
      const layout = layoutOf(dimensions, threads)
      const shared = { id, collectionId, layout, memory: createCopyMemory(layout, blocks, mostBytes) }
      channel.postMessage(shared)
      return hold(shared)
    },

    async find(id) {
      // What another thread has just made may be on its way.
      for (const deadline = Date.now() + longestWaitMs; !held.has(id) && Date.now() < deadline; ) await sleep(1)
      return held.get(id) ?? null
    },

    drop(ids) {
      // What is on its way here is not to be held either.
      for (const id of ids) if (!held.delete(id)) droppedEarly.add(id)
    },

    close: () => channel.close(),
  }

  function hold({ id, collectionId, layout, memory }: Shared): HeldCopy {
    const copy = attachCopy(memory, layout)
    const one = { collectionId, copy, bytes: () => memory.buffer.byteLength }
    held.set(id, one)
    return one
  }
}
