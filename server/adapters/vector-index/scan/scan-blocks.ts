import type { VectorCopy } from '../copies/collection-copy'
import { blockSize } from '../copies/layout'
import type { KeyFilter } from './key-filter'
import { createBest } from './top-k'

/** Blocks from one number on, up to another one that is not among them. */
export interface BlockRange {
  from: number
  to: number
}

/** Rows are numbered through all blocks. */
export interface ScannedRows {
  slots: Int32Array
  scores: Float32Array
  /** There were others, which score less than these. */
  isCut: boolean
}

export interface BlockScan {
  ranges: Iterable<BlockRange>
  isAllowed: KeyFilter | null
  /** By the first half of each vector alone. */
  coarse: boolean
  /** Of the query on the desk. */
  scale: number
  /** How many rows are wanted. */
  many: number
}

/** The rows of these blocks that score best. */
export function scanBlocks(copy: VectorCopy, { ranges, isAllowed, coarse, scale, many }: BlockScan): ScannedRows {
  const { layout, desk, kernel } = copy
  const { width, block, start } = layout
  const at = layout.desk
  const views = copy.views()
  const rows = views.ints.subarray((desk + at.rows) / 4, (desk + at.rows) / 4 + blockSize)
  const scores = views.floats.subarray((desk + at.scores) / 4, (desk + at.scores) / 4 + blockSize)
  const best = createBest(many, blockSize)
  for (const { from, to } of ranges) for (let n = from; n < to; n++) scanBlock(n)
  return best.end()

  function scanBlock(n: number): void {
    const place = start + n * block.bytes
    if (views.doubles[(place + block.chunk) / 8] === 0) return
    const scales = isAllowed ? allowedScales(place, isAllowed) : place + block.scales
    if (scales === null) return
    kernel.dots(place + block.head, desk + at.query, width, desk + at.sums, 0)
    if (!coarse) kernel.dots(place + block.tail, desk + at.query + 2 * width, width, desk + at.sums, 1)
    const count = kernel.above(desk + at.sums, scales, scale, best.threshold(), desk + at.rows, desk + at.scores)
    if (count > 0) best.take(count, rows, scores, n * blockSize)
  }

  /** The scales of a block with 0 for what is not allowed; null where nothing is. */
  function allowedScales(place: number, allows: KeyFilter): number | null {
    const { doubles, floats } = views
    const keys = (place + block.keys) / 8
    const from = (place + block.scales) / 4
    const to = (desk + at.scales) / 4
    let some = false
    for (let slot = 0; slot < blockSize; slot++) {
      const isIn = allows(doubles[keys + slot] ?? 0)
      floats[to + slot] = isIn ? (floats[from + slot] ?? 0) : 0
      some ||= isIn
    }
    return some ? desk + at.scales : null
  }
}
