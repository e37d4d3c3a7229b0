import type { VectorCopy } from '../copies/collection-copy'
import { blockSize } from '../copies/layout'
import type { ScannedRows } from './scan-blocks'
import { selectHighest } from './top-k'

/** Rows whose scores are by all of each vector, of rows that were chosen by the first halves. */
export interface WholeRows extends ScannedRows {
  /** A row that was left out before may belong among the best. */
  isShort: boolean
}

const sampleAtLeast = 64
const samplePerResult = 3
/** Standard deviations that a second half may add to a score beyond the mean. */
const deviations = 4

/**
 * Adds the second halves where they may matter. How much they add to scores is seen on the best rows; of the others
 * only those are looked at that could come among the best `k` by adding 4 standard deviations more than these do.
 */
export function addSecondHalves(copy: VectorCopy, rows: ScannedRows, scale: number, k: number): WholeRows {
  const { slots, scores: heads, isCut } = rows
  const sample = Math.min(slots.length, Math.max(sampleAtLeast, samplePerResult * k))
  const border = selectHighest(heads.slice(), heads.length, sample)
  const tailOf = tailScores(copy, scale)
  const chosen: number[] = []
  const tails: number[] = []
  for (let n = 0; n < slots.length; n++) {
    if ((heads[n] ?? 0) < border) continue
    chosen.push(n)
    tails.push(tailOf(slots[n] ?? 0))
  }
  const wholes = chosen.map((n, at) => (heads[n] ?? 0) + (tails[at] ?? 0))
  const least = leastHead(wholes, tails, k)
  let lowest = border
  for (let n = 0; n < slots.length; n++) {
    const head = heads[n] ?? 0
    lowest = Math.min(lowest, head)
    if (head >= border || head < least) continue
    chosen.push(n)
    tails.push(tailOf(slots[n] ?? 0))
  }
  return {
    slots: Int32Array.from(chosen, (n) => slots[n] ?? 0),
    scores: Float32Array.from(chosen, (n, at) => (heads[n] ?? 0) + (tails[at] ?? 0)),
    isCut,
    isShort: isCut && lowest > least,
  }
}

/** The score that a first half must have at least for its row to come among the best `k`. */
function leastHead(scores: number[], tails: number[], k: number): number {
  if (scores.length < k) return Number.NEGATIVE_INFINITY
  const mean = tails.reduce((sum, tail) => sum + tail, 0) / tails.length
  const variance = tails.reduce((sum, tail) => sum + (tail - mean) ** 2, 0) / tails.length
  const kth = selectHighest(Float32Array.from(scores), scores.length, k)
  return kth - mean - deviations * Math.sqrt(variance)
}

/** What the second half of a row adds to its score. */
function tailScores({ layout, desk, kernel, views }: VectorCopy, scale: number): (slot: number) => number {
  const { width, block, start } = layout
  const { floats } = views()
  const query = desk + layout.desk.query + 2 * width
  return (slot) => {
    const row = slot % blockSize
    const place = start + ((slot - row) / blockSize) * block.bytes
    const sum = kernel.dot(place + block.tail + row * width, query, width)
    return sum * scale * (floats[(place + block.scales) / 4 + row] ?? 0)
  }
}
