import { selectHighest } from './top-k'

/** Fragments that may be among the nearest, in no order. */
export interface Candidates {
  keys: Float64Array
  /** Cosines as the 8-bit numbers give them. */
  scores: Float32Array
  /** How far the exact cosines may be from these. */
  margins: Float32Array
}

/**
 * Those that can be among the best `k` when each exact cosine lies within its margin: the upper bound of what is left
 * out is below the lower bounds of `k` others.
 */
export function likely({ keys, scores, margins }: Candidates, k: number): Candidates {
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
  // Copies, so that no more than these go to another thread.
  return {
    keys: chosen.keys.slice(0, count),
    scores: chosen.scores.slice(0, count),
    margins: chosen.margins.slice(0, count),
  }
}

/** What the `k`th best exact cosine is at least; without `k` candidates anything goes. */
export function lowerBound(scores: Float32Array, margins: Float32Array, k: number): number {
  if (scores.length < k) return Number.NEGATIVE_INFINITY
  const lowest = scores.map((score, n) => score - (margins[n] ?? 0))
  return selectHighest(lowest, lowest.length, k)
}

/** All of these one after the other, in no order of score. */
export function joined(some: Candidates[]): Candidates {
  const length = some.reduce((sum, { keys }) => sum + keys.length, 0)
  const all = { keys: new Float64Array(length), scores: new Float32Array(length), margins: new Float32Array(length) }
  let at = 0
  for (const { keys, scores, margins } of some) {
    all.keys.set(keys, at)
    all.scores.set(scores, at)
    all.margins.set(margins, at)
    at += keys.length
  }
  return all
}
