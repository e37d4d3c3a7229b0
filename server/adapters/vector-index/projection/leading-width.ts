import { coarseWidthFor } from './learn-projection'

/** Vectors that are examined. */
export const sampledVectors = 512
/** Less, and the rest would matter for too many rows. */
const minShare = 0.8

/**
 * Returns how many of the first numbers of each vector can select candidates, because they have most of its length, as
 * after a rotation by PCA. Null if the others matter as well.
 */
export function leadingWidthOf(batches: Iterable<readonly Float32Array[]>, dimensions: number): number | null {
  const width = coarseWidthFor(dimensions)
  let leading = 0
  let all = 0
  for (const vectors of batches) {
    for (const vector of vectors) {
      for (const [n, value] of vector.entries()) {
        all += value * value
        if (n < width) leading += value * value
      }
    }
  }
  return all > 0 && leading / all >= minShare ? width : null
}
