import { type Kernel, openKernel } from '../scan/kernel'
import { blockSize, blocksIn, bytesFor, header, type Layout, pageBytes } from './layout'

/** What a chunk of the table holds. */
export interface Chunk {
  /** Which of its slots are taken, a bit each, the lowest first. */
  validity: Uint8Array
  /** 64-bit numbers, one a slot. */
  keys: DataView
  vectors: Float32Array
}

export interface Views {
  ints: Int32Array
  floats: Float32Array
  doubles: Float64Array
  shorts: Int16Array
}

/** 8-bit vectors of one collection, in memory that threads share. */
export interface VectorCopy {
  layout: Layout
  kernel: Kernel
  /** Where this thread works, in bytes. */
  desk: number
  /** Of all blocks that there are at this moment. */
  views(): Views
  blocks(): number
  revision(): number
  setRevision(revision: number): void
  /** Runs `work` while no other thread writes; null when one has been writing for too long. */
  alone<Result>(work: () => Result): Result | null
  /** The blocks that hold something, by their chunks. */
  directory(): Map<number, { block: number; revision: number }>
  /** Writes a chunk to its block, or to a free one. False when there is no room. */
  write(block: number | null, chunkId: number, revision: number, chunk: Chunk): boolean
  free(block: number): void
}

const longestWaitMs = 300

/** Makes the memory of a copy with room for so many blocks; it may grow to `mostBytes`. Throws where there is none. */
export function createCopyMemory(layout: Layout, blocks: number, mostBytes: number): WebAssembly.Memory {
  const pages = bytesFor(layout, blocks) / pageBytes
  const maximum = Math.min(65_536, Math.max(pages, Math.floor(mostBytes / pageBytes)))
  const memory = new WebAssembly.Memory({ initial: pages, maximum, shared: true })
  new Int32Array(memory.buffer)[header.blocks] = blocksIn(layout, memory.buffer.byteLength)
  return memory
}

/** For one thread: takes one of the desks. */
export function attachCopy(memory: WebAssembly.Memory, layout: Layout): VectorCopy {
  const kernel = openKernel(memory)
  let current = viewsOf(memory)
  const head = current.ints
  const place = Atomics.add(head, header.threads, 1)
  if (place >= layout.desks) throw new Error('More threads than desks.')
  const desk = layout.start - (layout.desks - place) * layout.desk.bytes

  return {
    layout,
    kernel,
    desk,
    views,
    blocks,
    revision: () => Atomics.load(head, header.revision),
    setRevision: (revision) => void Atomics.store(head, header.revision, revision),

    alone(work) {
      const deadline = performance.now() + longestWaitMs
      while (Atomics.compareExchange(head, header.lock, 0, 1) !== 0) {
        const left = deadline - performance.now()
        // Whoever died while writing never gives it back; the copy is thrown away then.
        if (left <= 0) return null
        Atomics.wait(head, header.lock, 1, left)
      }
      try {
        return work()
      } finally {
        Atomics.store(head, header.lock, 0)
        Atomics.notify(head, header.lock)
      }
    },

    directory() {
      const { doubles } = views()
      const found = new Map<number, { block: number; revision: number }>()
      for (let block = 0; block < blocks(); block++) {
        const at = placeOf(block)
        const chunkId = doubles[(at + layout.block.chunk) / 8] ?? 0
        if (chunkId !== 0) found.set(chunkId, { block, revision: doubles[(at + layout.block.revision) / 8] ?? 0 })
      }
      return found
    },

    write(known, chunkId, revision, chunk) {
      const block = known ?? freeBlock() ?? grow()
      if (block === null) return false
      const { doubles } = views()
      const at = placeOf(block)
      if (known === null) {
        Atomics.add(head, header.used, 1)
        // Until it is whole it is no revision of the chunk.
        doubles[(at + layout.block.revision) / 8] = 0
        doubles[(at + layout.block.chunk) / 8] = chunkId
      }
      for (let slot = 0; slot < blockSize; slot++) writeSlot(at, slot, chunk)
      doubles[(at + layout.block.revision) / 8] = revision
      return true
    },

    free(block) {
      const { doubles, floats } = views()
      const at = placeOf(block)
      floats.fill(0, (at + layout.block.scales) / 4, (at + layout.block.scales) / 4 + blockSize)
      doubles[(at + layout.block.chunk) / 8] = 0
      Atomics.sub(head, header.used, 1)
    },
  }

  function views(): Views {
    if (current.ints.byteLength < bytesFor(layout, blocks())) {
      // Another thread has made it larger; this one may not have heard of it.
      memory.grow(0)
      current = viewsOf(memory)
    }
    return current
  }

  function blocks(): number {
    return Atomics.load(head, header.blocks)
  }

  function placeOf(block: number): number {
    return layout.start + block * layout.block.bytes
  }

  function freeBlock(): number | null {
    const { doubles } = views()
    if (Atomics.load(head, header.used) === blocks()) return null
    for (let block = 0; block < blocks(); block++) {
      if (doubles[(placeOf(block) + layout.block.chunk) / 8] === 0) return block
    }
    return null
  }

  function grow(): number | null {
    const block = blocks()
    const wanted = bytesFor(layout, block + Math.max(4, block >> 3))
    const least = bytesFor(layout, block + 1)
    const held = memory.buffer.byteLength
    if (!growBy(wanted - held) && !growBy(least - held)) return null
    current = viewsOf(memory)
    Atomics.store(head, header.blocks, blocksIn(layout, memory.buffer.byteLength))
    return block
  }

  function growBy(bytes: number): boolean {
    try {
      memory.grow(bytes / pageBytes)
      return true
    } catch {
      return false
    }
  }

  /** A slot that stays what it is keeps its bytes all the while, for those that read it meanwhile. */
  function writeSlot(at: number, slot: number, { validity, keys, vectors }: Chunk): void {
    const { doubles, floats } = current
    const { block, width, dimensions } = layout
    const scale = (at + block.scales) / 4 + slot
    if (!((validity[slot >> 3] ?? 0) & (1 << (slot & 7)))) {
      floats[scale] = 0
      return
    }
    const key = Number(keys.getBigInt64(8 * slot, true))
    const isSame = doubles[(at + block.keys) / 8 + slot] === key
    if (!isSame) floats[scale] = 0
    const vector = desk + layout.desk.vector
    floats.set(vectors.subarray(slot * dimensions, (slot + 1) * dimensions), vector / 4)
    const row = slot * width
    const made = kernel.quantize(vector, at + block.head + row, at + block.tail + row, width)
    doubles[(at + block.keys) / 8 + slot] = key
    floats[scale] = made
  }
}

function viewsOf({ buffer }: WebAssembly.Memory): Views {
  return {
    ints: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
    shorts: new Int16Array(buffer),
  }
}
