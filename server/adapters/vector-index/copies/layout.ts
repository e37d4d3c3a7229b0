/** Vectors of a block: as many as a chunk of the table holds. */
export const blockSize = 256

export const pageBytes = 65_536

/** Numbers of 32 bits at the start of the memory. */
export const header = {
  /** 1 while a thread writes. */
  lock: 0,
  /** Of the collection, when the copy was last as the database; 0 before that. */
  revision: 1,
  /** Blocks that there is room for. */
  blocks: 2,
  /** Of these, blocks that hold something. */
  used: 3,
  /** Places for threads to work in that are taken. */
  threads: 4,
} as const
const headerBytes = 64

/** Where a thread keeps its query and what it finds, in bytes from the start of its place. */
export interface Desk {
  bytes: number
  query: number
  vector: number
  sums: number
  scales: number
  rows: number
  scores: number
}

/** Where everything is in the memory of a copy, in bytes; `kernel.wat` relies on widths being multiples of 32. */
export interface Layout {
  dimensions: number
  /** Bytes of a row in one plane: half of a vector. */
  width: number
  desk: Desk
  desks: number
  /** Where blocks begin. */
  start: number
  block: {
    bytes: number
    /** The chunk that it mirrors, or 0, and the revision of the chunk that it holds. */
    chunk: number
    revision: number
    keys: number
    scales: number
    /** The first half of the numbers of each vector, and the second. */
    head: number
    tail: number
  }
}

/** For vectors of so many numbers, and so many threads that scan them. */
export function layoutOf(dimensions: number, threads: number): Layout {
  const width = Math.ceil(dimensions / 64) * 32
  const desk = places({
    query: 4 * width,
    vector: 8 * width,
    sums: 4 * blockSize,
    scales: 4 * blockSize,
    rows: 4 * blockSize,
    scores: 4 * blockSize,
  })
  const block = places({
    chunk: 8,
    revision: 8,
    // What follows begins at a multiple of 64, too.
    space: 48,
    keys: 8 * blockSize,
    scales: 4 * blockSize,
    head: width * blockSize,
    tail: width * blockSize,
  })
  return { dimensions, width, desk, desks: threads, start: headerBytes + threads * desk.bytes, block }
}

/** Bytes of memory for so many blocks: whole pages. */
export function bytesFor(layout: Layout, blocks: number): number {
  return Math.ceil((layout.start + blocks * layout.block.bytes) / pageBytes) * pageBytes
}

/** How many whole blocks so many bytes of memory have room for. */
export function blocksIn(layout: Layout, bytes: number): number {
  return Math.max(0, Math.floor((bytes - layout.start) / layout.block.bytes))
}

function places<Name extends string>(sizes: Record<Name, number>): Record<Name | 'bytes', number> {
  let bytes = 0
  const found = {} as Record<Name | 'bytes', number>
  for (const [name, size] of Object.entries<number>(sizes) as [Name, number][]) {
    found[name] = bytes
    bytes += size
  }
  found.bytes = bytes
  return found
}
