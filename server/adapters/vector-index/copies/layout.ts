/** Vectors per block: as many as in a chunk of the table. */
export const blockSize = 256

export const pageBytes = 65_536

/** Indexes of the 32-bit integers at the start of the memory. */
export const header = {
  /** 1 while a thread writes. */
  lock: 0,
  /** Revision of the set at the last complete update; 0 before. */
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
  /** Offset of the matrix of the projection, 32-bit floats, a row of `width` for each number of a projected vector. */
  matrix: number
  /** Bytes per row of the two planes, which hold the first numbers of each vector and the others, and of both. */
  headWidth: number
  tailWidth: number
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
    /** The first numbers of each vector, and the others. */
    head: number
    tail: number
    /** The projected vectors, with a scale of their own. */
    projectedScales: number
    projected: number
  }
}

/** How the rows of a copy are divided, so that a part can select candidates. Multiples of 32. */
export interface RowParts {
  /** Numbers of each vector in the first plane; by default half of them. */
  headWidth?: number
  /** Numbers of a projected vector; none by default. */
  projectedWidth?: number
}

/** `threads` is the number of threads that scan the copy. */
export function layoutOf(dimensions: number, threads: number, parts: RowParts = {}): Layout {
  const { headWidth = paddedTo32(dimensions / 2), projectedWidth = 0 } = parts
  const tailWidth = paddedTo32(Math.max(1, dimensions - headWidth))
  const width = headWidth + tailWidth
  const scratch = offsetsOf({
    query: 2 * width,
    vector: 4 * width,
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
    head: headWidth * blockSize,
    tail: tailWidth * blockSize,
    projectedScales: projectedWidth === 0 ? 0 : 4 * blockSize,
    projected: projectedWidth * blockSize,
  })
  return {
    dimensions,
    projectedWidth,
    matrix: headerBytes,
    headWidth,
    tailWidth,
    width,
    scratch,
    scratchAreas: threads,
    start: headerBytes + 4 * width * projectedWidth + threads * scratch.bytes,
    block,
  }
}

function paddedTo32(count: number): number {
  return Math.ceil(count / 32) * 32
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
