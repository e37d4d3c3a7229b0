import type { VectorCopy } from '../copies/collection-copy'
import { blockSize } from '../copies/layout'
import { type Candidates, likely, lowerBound } from './candidates'
import { addSecondHalves } from './coarse-scan'
import type { KeyFilter } from './key-filter'
import { type BlockRange, type ScannedRows, scanBlocks } from './scan-blocks'

export interface ScanOrder {
  query: Float32Array
  k: number
  /** Null: all. */
  isAllowed: KeyFilter | null
  /** Chooses by the first half of each vector, where most of what tells vectors apart is. */
  coarse: boolean
  /** The blocks to be scanned; read once. */
  ranges: Iterable<BlockRange>
}

// Rounding to whole numbers is wrong by 1 / sqrt(12) on average, in every direction of the query: 3 times that.
const marginOfScale = 3 / Math.sqrt(12)
/** Rows that are kept at first: at least, by result, and by block, when chosen by first halves and by whole vectors. */
const coarse = { atLeast: 400, perResult: 16, perBlock: 0.25 }
const fine = { atLeast: 128, perResult: 2, perBlock: 0 }
const mostRows = 16_384

/** The fragments of the copy that may be among the `k` nearest; their scores are as exact as 8-bit numbers are. */
export function scan(copy: VectorCopy, order: ScanOrder): Candidates {
  const { k } = order
  const { atLeast, perResult, perBlock } = order.coarse ? coarse : fine
  const scale = writeQuery(copy, order.query)
  const taken: BlockRange[] = []
  let ranges: Iterable<BlockRange> = remembered(order.ranges, taken)
  const first = Math.max(atLeast, perResult * k, Math.floor(perBlock * copy.blocks()))
  for (let many = first; ; many *= 4) {
    const rows = scanBlocks(copy, { ...order, ranges, scale, many })
    const whole = order.coarse ? addSecondHalves(copy, rows, scale, k) : rows
    const found = candidatesOf(copy, whole)
    // Where a row that was left out might be among the best all the same, more are kept.
    const isShort = 'isShort' in whole ? whole.isShort : rows.isCut && mayBeAmong(found, k)
    if (!isShort || many >= mostRows) return likely(found, k)
    ranges = taken
  }
}

/** Several threads take turns at the blocks: which ones are this one's shows only as it goes. */
function* remembered(ranges: Iterable<BlockRange>, taken: BlockRange[]): Iterable<BlockRange> {
  for (const range of ranges) {
    taken.push(range)
    yield range
  }
}

/** Leaves the query on the desk as 16-bit numbers, and returns what a sum is to be multiplied with. */
function writeQuery({ layout, desk, views }: VectorCopy, query: Float32Array): number {
  const { shorts } = views()
  const at = (desk + layout.desk.query) / 2
  let peak = 0
  let squares = 0
  for (const value of query) {
    peak = Math.max(peak, Math.abs(value))
    squares += value * value
  }
  shorts.fill(0, at, at + 2 * layout.width)
  if (!(squares > 0)) return 0
  for (let n = 0; n < query.length; n++) shorts[at + n] = Math.round(((query[n] ?? 0) * 32_767) / peak)
  return peak / 32_767 / Math.sqrt(squares)
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
    margins[n] = marginOfScale * (floats[(place + block.scales) / 4 + row] ?? 0)
  }
  return { keys, scores, margins }
}

/** Whether one that scores less than all of these could be among the best. */
function mayBeAmong({ scores, margins }: Candidates, k: number): boolean {
  let least = Number.POSITIVE_INFINITY
  let margin = 0
  for (const score of scores) least = Math.min(least, score)
  for (const one of margins) margin = Math.max(margin, one)
  return least + margin >= lowerBound(scores, margins, k)
}
