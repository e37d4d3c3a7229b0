/**
 * Learns a projection of vectors on the directions in which they differ most, by orthogonal iteration on the matrix of their
 * second moments. The dot product of two projected vectors is then close to that of the vectors.
 */

/** Vectors from which a projection is learned, at most. */
export const maxLearnedVectors = 20_000
const minLearnedVectors = 4_096
/** More would cost each scan more than it saves. */
const maxWidth = 192
const iterations = 3

/** Numbers by which candidates are selected: half of those of a vector, in steps of 32, and at most 192. */
export function coarseWidthFor(dimensions: number): number {
  return Math.min(maxWidth, Math.ceil(dimensions / 2 / 32) * 32)
}

/** Enough for the moments of this many dimensions. */
export function learnedVectorsFor(dimensions: number): number {
  return Math.min(maxLearnedVectors, Math.max(minLearnedVectors, 4 * dimensions))
}

/** Returns `width` orthonormal directions, one after another. `batches` are iterated once. */
export function learnProjection(
  batches: Iterable<readonly Float32Array[]>,
  dimensions: number,
  width: number,
): Float32Array {
  const moments = momentsOf(batches, dimensions)
  let directions = orthonormalize(randomNumbers(width * dimensions), dimensions)
  for (let n = 0; n < iterations; n++)
    directions = orthonormalize(multiply(directions, moments, dimensions), dimensions)
  return Float32Array.from(directions)
}

/** The sums of the products of each two numbers of a vector, over all vectors. */
function momentsOf(batches: Iterable<readonly Float32Array[]>, dimensions: number): Float64Array {
  const moments = new Float64Array(dimensions * dimensions)
  for (const vectors of batches) {
    const count = vectors.length
    // Column by column, so that the inner loop reads memory in sequence.
    const columns = new Float64Array(dimensions * count)
    for (const [row, vector] of vectors.entries())
      for (let n = 0; n < dimensions; n++) columns[n * count + row] = vector[n] ?? 0
    for (let first = 0; first < dimensions; first++) {
      for (let second = first; second < dimensions; second++) {
        const place = first * dimensions + second
        moments[place] = (moments[place] ?? 0) + dot(columns, first * count, columns, second * count, count)
      }
    }
  }
  for (let first = 0; first < dimensions; first++)
    for (let second = 0; second < first; second++)
      moments[first * dimensions + second] = moments[second * dimensions + first] ?? 0
  return moments
}

/** The product of each row with a symmetric matrix. */
function multiply(rows: Float64Array, matrix: Float64Array, dimensions: number): Float64Array {
  const result = new Float64Array(rows.length)
  for (let row = 0; row < rows.length; row += dimensions)
    for (let n = 0; n < dimensions; n++) result[row + n] = dot(rows, row, matrix, n * dimensions, dimensions)
  return result
}

/** Makes the rows orthogonal to each other, with the length 1 (Gram and Schmidt), in place. */
function orthonormalize(rows: Float64Array, dimensions: number): Float64Array {
  for (let row = 0; row < rows.length; row += dimensions) {
    for (let before = 0; before < row; before += dimensions) {
      const share = dot(rows, row, rows, before, dimensions)
      for (let n = 0; n < dimensions; n++) rows[row + n] = (rows[row + n] ?? 0) - share * (rows[before + n] ?? 0)
    }
    const length = Math.sqrt(dot(rows, row, rows, row, dimensions))
    // Fewer vectors than directions: what is left is noise, and adds nothing to a score.
    const factor = length > 1e-12 ? 1 / length : 0
    for (let n = 0; n < dimensions; n++) rows[row + n] = (rows[row + n] ?? 0) * factor
  }
  return rows
}

function dot(
  first: Float64Array,
  firstStart: number,
  second: Float64Array,
  secondStart: number,
  count: number,
): number {
  let even = 0
  let odd = 0
  let n = 0
  for (; n + 1 < count; n += 2) {
    even += (first[firstStart + n] ?? 0) * (second[secondStart + n] ?? 0)
    odd += (first[firstStart + n + 1] ?? 0) * (second[secondStart + n + 1] ?? 0)
  }
  return n < count ? even + odd + (first[firstStart + n] ?? 0) * (second[secondStart + n] ?? 0) : even + odd
}

/** The same in every run. */
function randomNumbers(count: number): Float64Array {
  let seed = 7
  return Float64Array.from({ length: count }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647 - 0.5
  })
}
