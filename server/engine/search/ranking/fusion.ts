import type { KeyScore } from '../../ports/search-index'

export interface FusedHit {
  key: number
  /** Score from 0 to 1. Comparable only between the hits of one query. */
  fusionScore: number
  /** 0 if no term of the query matched. */
  bm25: number
  /** Null if the fragment has no embedding yet. */
  cosine: number | null
  /** Ranks in the two result lists, from 1; null if absent. */
  ranks: { keyword: number | null; vector: number | null }
}

export interface FusionInput {
  /** Best first. Hits after `depth` only contribute their BM25 to vector hits. */
  keywordHits: KeyScore[]
  /** Best first. */
  vectorHits: KeyScore[]
  /** Cosines of keyword hits that are not among the vector hits. */
  cosines: KeyScore[]
  /** Weight of the cosine, from 0 to 1. */
  vectorWeight: number
  depth: number
}

/**
 * Combines keyword and vector hits: the union of both lists, each hit scored (1 - w) x BM25 / best BM25 + w x cosine /
 * best cosine. Ties go to the smaller key. Reciprocal rank fusion is worse: ranks hide that all cosines of a language
 * the model does not know are alike.
 */
export function fuse({ keywordHits, vectorHits, cosines, vectorWeight, depth }: FusionInput): FusedHit[] {
  const bm25 = new Map(keywordHits.map(({ key, score }) => [key, score]))
  const cosine = new Map([...cosines, ...vectorHits].map(({ key, score }) => [key, score]))
  const keywordRanks = ranksOf(keywordHits.slice(0, depth))
  const vectorRanks = ranksOf(vectorHits.slice(0, depth))
  const keys = [...new Set([...keywordRanks.keys(), ...vectorRanks.keys()])]
  const bestBm25 = Math.max(0, ...keywordHits.map(({ score }) => score))
  const bestCosine = Math.max(0, ...keys.map((key) => cosine.get(key) ?? 0))
  const weight = bestCosine === 0 ? 0 : bestBm25 === 0 ? 1 : vectorWeight
  // A fragment without an embedding counts as an average one rather than as the worst.
  const medianCosine = median(keys.flatMap((key) => cosine.get(key) ?? []))

  return keys
    .map((key) => ({
      key,
      fusionScore:
        (1 - weight) * ratio(bm25.get(key) ?? 0, bestBm25) +
        weight * ratio(cosine.get(key) ?? medianCosine, bestCosine),
      bm25: bm25.get(key) ?? 0,
      cosine: cosine.get(key) ?? null,
      ranks: { keyword: keywordRanks.get(key) ?? null, vector: vectorRanks.get(key) ?? null },
    }))
    .sort((a, b) => b.fusionScore - a.fusionScore || a.key - b.key)
}

function ranksOf(hits: KeyScore[]): Map<number, number> {
  return new Map(hits.map(({ key }, n) => [key, n + 1]))
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function ratio(value: number, best: number): number {
  return best === 0 ? 0 : value / best
}
