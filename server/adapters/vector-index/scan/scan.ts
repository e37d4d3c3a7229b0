import type { VectorCopy } from '../copies/collection-copy'
import { blockSize } from '../copies/layout'
import { type Candidates, lowerBound, selectLikely } from './candidates'
import { addTails } from './coarse-scan'
import type { KeyFilter } from './key-filter'
import { type BlockRange, type ScannedRows, scanBlocks } from './scan-blocks'
import { writeQuery } from './write-query'

export interface ScanQuery {
  vector: Float32Array
  k: number
  /** Null for all. */
  isAllowed: KeyFilter | null
  /** Whether to select candidates by the projection of each vector, or by its first numbers, which have most of the variance. */
  coarse: boolean
  /** The blocks to scan; iterated once. */
  ranges: Iterable<BlockRange>
}

// The standard deviation of rounding to integers is 1 / sqrt(12), in every direction of the query: 3 of them.
const marginPerScale = 3 / Math.sqrt(12)
/** Rows kept at first: minimum, per result and per block, for selection by a part and by complete vectors. */
const coarse = { min: 800, perResult: 16, perBlock: 0.25 }
const fine = { min: 128, perResult: 2, perBlock: 0 }
const maxRows = 16_384

/** The fragments of the copy that may be among the `k` nearest. Scores are those of the quantized vectors. */
export function scan(copy: VectorCopy, query: ScanQuery): Candidates {
  const { k } = query
  const { min, perResult, perBlock } = query.coarse ? coarse : fine
  const scales = writeQuery(copy, query.vector, query.coarse)
  const taken: BlockRange[] = []
  let ranges: Iterable<BlockRange> = record(query.ranges, taken)
  const first = Math.max(min, perResult * k, Math.floor(perBlock * copy.blocks()))
  for (let limit = first; ; limit *= 4) {
    const rows = scanBlocks(copy, { ...query, ranges, scales, limit })
    const complete = query.coarse ? addTails(copy, rows, scales, k) : rows
    const found = candidatesOf(copy, complete)
    // If a row that was left out might be among the best, scan again and keep more rows.
    const isIncomplete = 'isIncomplete' in complete ? complete.isIncomplete : rows.isTruncated && mayMiss(found, k)
    if (!isIncomplete || limit >= maxRows) return selectLikely(found, k)
    ranges = taken
  }
}

/** Records the ranges: in a parallel scan, those of this thread are known only afterwards. */
function* record(ranges: Iterable<BlockRange>, taken: BlockRange[]): Iterable<BlockRange> {
  for (const range of ranges) {
    taken.push(range)
    yield range
  }
}

function candidatesOf({ layout, views }: VectorCopy, { slots, scores }: ScannedRows): Candidates {
  const { block, start } = layout
  const { doubles, floats } = views()
  const keys = new Float64Array(slots.length)
  const margins = new Float32Array(slots.length)
  for (const [n, slot] of slots.entries()) {
    const row = slot % blockSize
    const place = start + ((slot - row) / blockSize) * block.bytes
    keys[n] = doubles[(place + block.keys) / 8 + row] ?? 0
    margins[n] = marginPerScale * (floats[(place + block.scales) / 4 + row] ?? 0)
  }
  return { keys, scores, margins }
}

/** Whether a row with a lower score than all of these could be among the best. */
function mayMiss({ scores, margins }: Candidates, k: number): boolean {
  let least = Number.POSITIVE_INFINITY
  let margin = 0
  for (const score of scores) least = Math.min(least, score)
  for (const number of margins) margin = Math.max(margin, number)
  return least + margin >= lowerBound(scores, margins, k)
}
