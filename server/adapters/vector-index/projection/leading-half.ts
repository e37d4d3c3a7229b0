/** Vectors that are examined. */
export const sampledVectors = 512
/** Less, and the rest would matter for too many rows. */
const minShare = 0.8

/** Whether the first halves of vectors have most of their length, as after a rotation by PCA. */
export function hasLeadingHalf(batches: Iterable<readonly Float32Array[]>): boolean {
  let first = 0
  let all = 0
  for (const vectors of batches) {
    for (const vector of vectors) {
      // As many as a row of a plane of the copy has.
      const half = Math.ceil(vector.length / 64) * 32
      for (const [n, value] of vector.entries()) {
        all += value * value
        if (n < half) first += value * value
      }
    }
  }
  return all > 0 && first / all >= minShare
}
