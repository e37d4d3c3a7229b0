import { TopK } from '../../top-k'
import type { VectorCopy } from '../copies/collection-copy'
import { blockSize } from '../copies/layout'
import type { KeyFilter } from './key-filter'
import type { QueryScales } from './write-query'

/** Blocks `from` to `to`, exclusive. */
export interface BlockRange {
  from: number
  to: number
}

/** Slots number the rows of all blocks. */
export interface ScannedRows {
  slots: Int32Array
  scores: Float32Array
  /** Whether rows with lower scores were left out. */
  isTruncated: boolean
}

export interface BlockScan {
  ranges: Iterable<BlockRange>
  isAllowed: KeyFilter | null
  /** Whether to score by the projection of each vector, or by its first numbers in a copy without projections. */
  coarse: boolean
  scales: QueryScales
  /** Maximum number of rows. */
  limit: number
}

/** The rows of these blocks with the highest scores. */
export function scanBlocks(copy: VectorCopy, { ranges, isAllowed, coarse, scales, limit }: BlockScan): ScannedRows {
  const { layout, scratch, kernel } = copy
  const { headWidth, tailWidth, projectedWidth, block, start } = layout
  const node = layout.scratch
  const isProjected = coarse && projectedWidth > 0
  const scale = isProjected ? scales.projected : scales.whole
  const rowScales = isProjected ? block.projectedScales : block.scales
  const views = copy.views()
  const rows = views.ints.subarray((scratch + node.rows) / 4, (scratch + node.rows) / 4 + blockSize)
  const scores = views.floats.subarray((scratch + node.scores) / 4, (scratch + node.scores) / 4 + blockSize)
  const topK = new TopK(limit, blockSize)
  for (const { from, to } of ranges) for (let n = from; n < to; n++) scanBlock(n)
  return topK.result()

  function scanBlock(n: number): void {
    const place = start + n * block.bytes
    if (views.doubles[(place + block.chunk) / 8] === 0) return
    const usedScales = isAllowed ? allowedScales(place, isAllowed) : place + rowScales
    if (usedScales === null) return
    if (isProjected)
      kernel.dots(place + block.projected, scratch + node.projectedQuery, projectedWidth, scratch + node.sums, 0)
    else kernel.dots(place + block.head, scratch + node.query, headWidth, scratch + node.sums, 0)
    if (!coarse)
      kernel.dots(place + block.tail, scratch + node.query + 2 * headWidth, tailWidth, scratch + node.sums, 1)
    const count = kernel.above(
      scratch + node.sums,
      usedScales,
      scale,
      topK.threshold(),
      scratch + node.rows,
      scratch + node.scores,
    )
    if (count > 0) topK.add(count, rows, scores, n * blockSize)
  }

  /** The scales of a block, with 0 for rows that are not allowed; null if none is. */
  function allowedScales(place: number, allows: KeyFilter): number | null {
    const { doubles, floats } = views
    const keys = (place + block.keys) / 8
    const from = (place + rowScales) / 4
    const to = (scratch + node.scales) / 4
    let isAnyAllowed = false
    for (let slot = 0; slot < blockSize; slot++) {
      const isIn = allows(doubles[keys + slot] ?? 0)
      floats[to + slot] = isIn ? (floats[from + slot] ?? 0) : 0
      isAnyAllowed ||= isIn
    }
    return isAnyAllowed ? scratch + node.scales : null
  }
}
