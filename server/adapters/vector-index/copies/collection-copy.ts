import { type Kernel, openKernel } from '../kernel/kernel'
import { blockSize, blocksInBytes, bytesForBlocks, header, type Layout, pageBytes } from './layout'

/** The vectors of a chunk, by their slots from 0 to 255. */
export type Chunk = ReadonlyMap<number, { key: number; vector: Float32Array }>

export interface Views {
  ints: Int32Array
  floats: Float32Array
  doubles: Float64Array
  shorts: Int16Array
}

/** The vectors of one set, quantized to 8 bits, in memory that threads share. */
export interface VectorCopy {
  layout: Layout
  kernel: Kernel
  /** Byte offset of this thread's scratch area. */
  scratch: number
  /** Views of the memory in its current size. */
  views(): Views
  blocks(): number
  revision(): number
  setRevision(revision: number): void
  /** Runs `work` while no other thread writes. Null if the lock is not released within 300 ms. */
  withLock<Result>(work: () => Result): Result | null
  /** The blocks in use, by chunk id. */
  blocksByChunk(): Map<number, { block: number; revision: number }>
  /** Writes a chunk to its block, or to a free one for null. False if there is no room. */
  write(block: number | null, chunkId: number, revision: number, chunk: Chunk): boolean
  free(block: number): void
}

const maxLockWaitMs = 300

/**
 * Allocates memory for a number of blocks, which can grow to `maxBytes`. `matrix` is that of the layout's projection, one
 * row of `dimensions` after another. Throws if memory is short.
 */
export function createCopyMemory(
  layout: Layout,
  blocks: number,
  maxBytes: number,
  matrix: Float32Array | null = null,
): WebAssembly.Memory {
  const pages = bytesForBlocks(layout, blocks) / pageBytes
  const maximum = Math.min(65_536, Math.max(pages, Math.floor(maxBytes / pageBytes)))
  const memory = new WebAssembly.Memory({ initial: pages, maximum, shared: true })
  new Int32Array(memory.buffer)[header.blocks] = blocksInBytes(layout, memory.buffer.byteLength)
  const floats = new Float32Array(memory.buffer)
  const { dimensions } = layout
  for (let row = 0; matrix && row < layout.projectedWidth; row++)
    floats.set(matrix.subarray(row * dimensions, (row + 1) * dimensions), layout.matrix / 4 + row * layout.width)
  return memory
}

/** Opens a copy in a thread, which gets a scratch area of its own. */
export function attachCopy(memory: WebAssembly.Memory, layout: Layout): VectorCopy {
  const kernel = openKernel(memory)
  let current = viewsOf(memory)
  const head = current.ints
  const area = Atomics.add(head, header.threads, 1)
  if (area >= layout.scratchAreas) throw new Error('There are more threads than scratch areas.')
  const scratch = layout.start - (layout.scratchAreas - area) * layout.scratch.bytes

  return {
    layout,
    kernel,
    scratch,
    views,
    blocks,
    revision: () => Atomics.load(head, header.revision),
    setRevision: (revision) => void Atomics.store(head, header.revision, revision),

    withLock(work) {
      const deadline = performance.now() + maxLockWaitMs
      while (Atomics.compareExchange(head, header.lock, 0, 1) !== 0) {
        const left = deadline - performance.now()
        // A thread that died while it wrote never releases the lock; the copy is then discarded.
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

    blocksByChunk() {
      const { doubles } = views()
      const found = new Map<number, { block: number; revision: number }>()
      for (let block = 0; block < blocks(); block++) {
        const position = offsetOf(block)
        const chunkId = doubles[(position + layout.block.chunk) / 8] ?? 0
        if (chunkId !== 0) found.set(chunkId, { block, revision: doubles[(position + layout.block.revision) / 8] ?? 0 })
      }
      return found
    },

    write(known, chunkId, revision, chunk) {
      const block = known ?? freeBlock() ?? grow()
      if (block === null) return false
      const { doubles } = views()
      const position = offsetOf(block)
      if (known === null) {
        Atomics.add(head, header.used, 1)
        // No revision of the chunk until it is complete.
        doubles[(position + layout.block.revision) / 8] = 0
        doubles[(position + layout.block.chunk) / 8] = chunkId
      }
      for (let slot = 0; slot < blockSize; slot++) writeSlot(position, slot, chunk)
      doubles[(position + layout.block.revision) / 8] = revision
      return true
    },

    free(block) {
      const { doubles, floats } = views()
      const position = offsetOf(block)
      for (let slot = 0; slot < blockSize; slot++) clearSlot(floats, position, slot)
      doubles[(position + layout.block.chunk) / 8] = 0
      Atomics.sub(head, header.used, 1)
    },
  }

  function views(): Views {
    if (current.ints.byteLength < bytesForBlocks(layout, blocks())) {
      // Another thread has grown the memory, which this one may not have noticed.
      memory.grow(0)
      current = viewsOf(memory)
    }
    return current
  }

  function blocks(): number {
    return Atomics.load(head, header.blocks)
  }

  function offsetOf(block: number): number {
    return layout.start + block * layout.block.bytes
  }

  function freeBlock(): number | null {
    const { doubles } = views()
    if (Atomics.load(head, header.used) === blocks()) return null
    for (let block = 0; block < blocks(); block++) {
      if (doubles[(offsetOf(block) + layout.block.chunk) / 8] === 0) return block
    }
    return null
  }

  function grow(): number | null {
    const block = blocks()
    const preferred = bytesForBlocks(layout, block + Math.max(4, block >> 3))
    const min = bytesForBlocks(layout, block + 1)
    const bytes = memory.buffer.byteLength
    if (!growBy(preferred - bytes) && !growBy(min - bytes)) return null
    current = viewsOf(memory)
    Atomics.store(head, header.blocks, blocksInBytes(layout, memory.buffer.byteLength))
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

  /** A slot that does not change keeps its bytes throughout, for threads that read it during the write. */
  function writeSlot(position: number, slot: number, chunk: Chunk): void {
    const { doubles, floats } = current
    const { block, headWidth, tailWidth } = layout
    const stored = chunk.get(slot)
    if (!stored) {
      clearSlot(floats, position, slot)
      return
    }
    const { key } = stored
    const isSame = doubles[(position + block.keys) / 8 + slot] === key
    if (!isSame) clearSlot(floats, position, slot)
    const vector = scratch + layout.scratch.vector
    floats.set(stored.vector, vector / 4)
    const head = position + block.head + slot * headWidth
    const scale = kernel.quantize(vector, head, headWidth, position + block.tail + slot * tailWidth, tailWidth)
    const projectedScale = writeProjected(position, slot, vector)
    doubles[(position + block.keys) / 8 + slot] = key
    floats[(position + block.scales) / 4 + slot] = scale
    if (projectedScale !== null) floats[(position + block.projectedScales) / 4 + slot] = projectedScale
  }

  /** Returns the scale of the projected vector; null for a copy without them. */
  function writeProjected(position: number, slot: number, vector: number): number | null {
    const { projectedWidth, width, matrix, block } = layout
    if (projectedWidth === 0) return null
    const projected = scratch + layout.scratch.projected
    kernel.project(matrix, vector, width, projectedWidth, projected)
    const { floats } = current
    const length = lengthOf(floats, vector / 4, width)
    const share = length > 0 ? lengthOf(floats, projected / 4, projectedWidth) / length : 0
    const row = position + block.projected + slot * projectedWidth
    // A cosine with the vector, not with its projection.
    return share * kernel.quantize(projected, row, projectedWidth, 0, 0)
  }

  /** Empties a slot. The scale of its projection goes first, because it selects rows. */
  function clearSlot(floats: Float32Array, position: number, slot: number): void {
    const { block, projectedWidth } = layout
    if (projectedWidth > 0) floats[(position + block.projectedScales) / 4 + slot] = 0
    floats[(position + block.scales) / 4 + slot] = 0
  }
}

function lengthOf(floats: Float32Array, from: number, count: number): number {
  let squares = 0
  for (let n = from; n < from + count; n++) squares += (floats[n] ?? 0) ** 2
  return Math.sqrt(squares)
}

function viewsOf({ buffer }: WebAssembly.Memory): Views {
  return {
    ints: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    doubles: new Float64Array(buffer),
    shorts: new Int16Array(buffer),
  }
}
