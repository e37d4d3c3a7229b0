import { selectHighest } from '../../top-k'

/** Fragments that may be among the nearest, unordered. */
export interface Candidates {
  keys: Float64Array
  /** Cosines of the quantized vectors. */
  scores: Float32Array
  /** Maximum distance of each exact cosine from its score. */
  margins: Float32Array
}

/**
 * Selects the candidates that can be among the best `k` if each exact cosine lies within its margin. The upper bound of
 * every other one is below the lower bounds of `k` candidates.
 */
export function selectLikely({ keys, scores, margins }: Candidates, k: number): Candidates {
  const border = lowerBound(scores, margins, k)
  const chosen = { keys: keys.slice(), scores: scores.slice(), margins: margins.slice() }
  let count = 0
  for (let n = 0; n < keys.length; n++) {
    const score = scores[n] ?? 0
    const margin = margins[n] ?? 0
    if (score + margin < border) continue
    chosen.keys[count] = keys[n] ?? 0
    chosen.scores[count] = score
    chosen.margins[count++] = margin
  }
  // Slices, because posting a view copies its whole buffer.
  return {
    keys: chosen.keys.slice(0, count),
    scores: chosen.scores.slice(0, count),
    margins: chosen.margins.slice(0, count),
  }
}

/** A lower bound of the `k`th best exact cosine; -Infinity with fewer candidates. */
export function lowerBound(scores: Float32Array, margins: Float32Array, k: number): number {
  if (scores.length < k) return Number.NEGATIVE_INFINITY
  const lowest = scores.slice()
  for (let n = 0; n < lowest.length; n++) lowest[n] = (lowest[n] ?? 0) - (margins[n] ?? 0)
  return selectHighest(lowest, lowest.length, k)
}
