/** Vectors per block: as many as in a chunk of the table. */
export const blockSize = 256

export const pageBytes = 65_536

/** Indexes of the 32-bit integers at the start of the memory. */
export const header = {
  /** 1 while a thread writes. */
  lock: 0,
  /** Revision of the collection at the last complete update; 0 before. */
  revision: 1,
  /** Capacity in blocks. */
  blocks: 2,
  /** Blocks in use. */
  used: 3,
  /** Scratch areas that are assigned to threads. */
  threads: 4,
} as const
const headerBytes = 64

/** The scratch area of a thread, for its query and its results: byte offsets from its start. */
export interface Scratch {
  bytes: number
  query: number
  vector: number
  sums: number
  scales: number
  rows: number
  scores: number
  /** The projected vector, and the projected query as 16-bit integers. */
  projected: number
  projectedQuery: number
}

/** Byte offsets in the memory of a copy. `kernel.wat` requires widths that are multiples of 32. */
export interface Layout {
  dimensions: number
  /** Numbers of a projected vector; 0 for a copy without them. */
  projectedWidth: number
  /** Offset of the matrix of the projection, 32-bit floats, a row of 2 x `width` for each number of a projected vector. */
  matrix: number
  /** Bytes per row of a plane, which holds half of each vector. */
  width: number
  scratch: Scratch
  scratchAreas: number
  /** Offset of the first block. */
  start: number
  block: {
    bytes: number
    /** Id of the chunk that the block mirrors, or 0, and its revision. */
    chunk: number
    revision: number
    keys: number
    scales: number
    /** The first half of each vector, and the second half. */
    head: number
    tail: number
    /** The projected vectors, with a scale of their own. */
    projectedScales: number
    projected: number
  }
}

/** `threads` is the number of threads that scan the copy. A projected width is a multiple of 32. */
export function layoutOf(dimensions: number, threads: number, projectedWidth = 0): Layout {
  const width = Math.ceil(dimensions / 64) * 32
  const scratch = offsetsOf({
    query: 4 * width,
    vector: 8 * width,
    sums: 4 * blockSize,
    scales: 4 * blockSize,
    rows: 4 * blockSize,
    scores: 4 * blockSize,
    projected: 4 * projectedWidth,
    projectedQuery: 2 * projectedWidth,
  })
  const block = offsetsOf({
    chunk: 8,
    revision: 8,
    // Aligns what follows to 64 bytes.
    padding: 48,
    keys: 8 * blockSize,
    scales: 4 * blockSize,
    head: width * blockSize,
    tail: width * blockSize,
    projectedScales: projectedWidth === 0 ? 0 : 4 * blockSize,
    projected: projectedWidth * blockSize,
  })
  const matrixBytes = 8 * width * projectedWidth
  const start = headerBytes + matrixBytes + threads * scratch.bytes
  return { dimensions, projectedWidth, matrix: headerBytes, width, scratch, scratchAreas: threads, start, block }
}

/** Bytes of memory for a number of blocks, in whole pages. */
export function bytesForBlocks(layout: Layout, blocks: number): number {
  return Math.ceil((layout.start + blocks * layout.block.bytes) / pageBytes) * pageBytes
}

/** Number of whole blocks that fit in a memory of this size. */
export function blocksInBytes(layout: Layout, bytes: number): number {
  return Math.max(0, Math.floor((bytes - layout.start) / layout.block.bytes))
}

function offsetsOf<Name extends string>(sizes: Record<Name, number>): Record<Name | 'bytes', number> {
  let bytes = 0
  const offsets = {} as Record<Name | 'bytes', number>
  for (const [name, size] of Object.entries<number>(sizes) as [Name, number][]) {
    offsets[name] = bytes
    bytes += size
  }
  offsets.bytes = bytes
  return offsets
}
