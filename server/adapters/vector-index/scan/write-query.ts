import type { VectorCopy } from '../copies/collection-copy'

/** Of sums of 32 bits, with room for what rounding adds. */
const maxSum = 2 ** 31 * 0.99

/** The factors of the sums of products with the integers of a query and of its projection. */
export interface QueryScales {
  whole: number
  /** 0 for a copy without projections. */
  projected: number
}

/** Writes the query, and its projection if it is needed, to the scratch area as 16-bit integers. */
export function writeQuery(
  { layout, scratch, views, kernel }: VectorCopy,
  query: Float32Array,
  withProjection: boolean,
): QueryScales {
  const { shorts, floats } = views()
  const { width, projectedWidth, matrix } = layout
  const length = Math.hypot(...query)
  const whole = writeIntegers(shorts, scratch + layout.scratch.query, query, width)
  if (!withProjection || projectedWidth === 0 || length === 0)
    return { whole: length > 0 ? whole / length : 0, projected: 0 }
  const vector = (scratch + layout.scratch.vector) / 4
  floats.fill(0, vector, vector + width)
  floats.set(query, vector)
  const projected = scratch + layout.scratch.projected
  kernel.project(matrix, 4 * vector, width, projectedWidth, projected)
  const numbers = floats.subarray(projected / 4, projected / 4 + projectedWidth)
  const scale = writeIntegers(shorts, scratch + layout.scratch.projectedQuery, numbers, projectedWidth)
  return { whole: whole / length, projected: scale / length }
}

/**
 * Writes numbers as integers, padded with zeros to `count`, and returns what an integer of 1 stands for. They have 16 bits,
 * fewer only if a sum of products with integers of 8 bits could exceed 32 bits.
 */
function writeIntegers(shorts: Int16Array, place: number, numbers: Float32Array, count: number): number {
  const start = place / 2
  shorts.fill(0, start, start + count)
  let peak = 0
  for (const number of numbers) peak = Math.max(peak, Math.abs(number))
  if (peak === 0) return 0
  // By the inequality of Cauchy and Schwarz, no sum exceeds the product of the lengths.
  const longest = maxSum / (127 * Math.sqrt(count))
  const max = Math.min(32_767, Math.floor((longest * peak) / Math.hypot(...numbers)))
  for (let n = 0; n < numbers.length; n++) shorts[start + n] = Math.round(((numbers[n] ?? 0) * max) / peak)
  return peak / max
}
