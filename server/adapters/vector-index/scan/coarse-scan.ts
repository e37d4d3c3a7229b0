import { selectHighest } from '../../top-k'
import type { VectorCopy } from '../copies/collection-copy'
import { blockSize } from '../copies/layout'
import type { ScannedRows } from './scan-blocks'
import type { QueryScales } from './write-query'

/** Rows with complete scores, out of rows that were selected by a part of their vectors or by their projections. */
export interface FullRows extends ScannedRows {
  /** Whether a row that was left out may belong to the best. */
  isIncomplete: boolean
}

const minSample = 64
const samplesPerResult = 3
/** Standard deviations above the mean that the rest of a vector may add to a score. */
const maxDeviations = 4

/**
 * Completes the scores where that may matter. Estimates the distribution of what the rest of the vectors adds on
 * the best rows; other rows are completed only if mean plus 4 standard deviations would lift them among the best `k`.
 */
export function addTails(copy: VectorCopy, rows: ScannedRows, scales: QueryScales, k: number): FullRows {
  const { slots, scores: heads, isTruncated } = rows
  const sample = Math.min(slots.length, Math.max(minSample, samplesPerResult * k))
  const border = selectHighest(heads.slice(), heads.length, sample)
  const tailOf = tailScores(copy, scales)
  const chosen: number[] = []
  const tails: number[] = []
  for (let n = 0; n < slots.length; n++) {
    if ((heads[n] ?? 0) < border) continue
    chosen.push(n)
    tails.push(tailOf(slots[n] ?? 0, heads[n] ?? 0))
  }
  const complete = chosen.map((n, index) => (heads[n] ?? 0) + (tails[index] ?? 0))
  const minHead = minHeadScore(complete, tails, k)
  let lowest = border
  for (let n = 0; n < slots.length; n++) {
    const head = heads[n] ?? 0
    lowest = Math.min(lowest, head)
    if (head >= border || head < minHead) continue
    chosen.push(n)
    tails.push(tailOf(slots[n] ?? 0, heads[n] ?? 0))
  }
  const full = { slots: new Int32Array(chosen.length), scores: new Float32Array(chosen.length) }
  for (const [index, n] of chosen.entries()) {
    full.slots[index] = slots[n] ?? 0
    full.scores[index] = (heads[n] ?? 0) + (tails[index] ?? 0)
  }
  return { ...full, isTruncated, isIncomplete: isTruncated && lowest > minHead }
}

/** The minimum score of a part or projection whose row may be among the best `k`. */
function minHeadScore(scores: number[], tails: number[], k: number): number {
  if (scores.length < k) return Number.NEGATIVE_INFINITY
  const mean = tails.reduce((sum, tail) => sum + tail, 0) / tails.length
  const variance = tails.reduce((sum, tail) => sum + (tail - mean) ** 2, 0) / tails.length
  const kth = selectHighest(Float32Array.from(scores), scores.length, k)
  return kth - mean - maxDeviations * Math.sqrt(variance)
}

/** Returns a function that computes what the rest of a row adds to the score of its first numbers or of its projection. */
function tailScores(
  { layout, scratch, kernel, views }: VectorCopy,
  { whole }: QueryScales,
): (slot: number, headScore: number) => number {
  const { headWidth, tailWidth, projectedWidth, block, start } = layout
  const { floats } = views()
  const query = scratch + layout.scratch.query
  return (slot, headScore) => {
    const row = slot % blockSize
    const place = start + ((slot - row) / blockSize) * block.bytes
    const scale = whole * (floats[(place + block.scales) / 4 + row] ?? 0)
    const tail = kernel.dot(place + block.tail + row * tailWidth, query + 2 * headWidth, tailWidth)
    if (projectedWidth === 0) return tail * scale
    const head = kernel.dot(place + block.head + row * headWidth, query, headWidth)
    return (head + tail) * scale - headScore
  }
}
