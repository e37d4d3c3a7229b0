import type { KeyScore } from '../ports'

export interface FusedHit {
  key: number
  /** Orders the hits of one query and says nothing between queries. */
  score: number
  /** 0 when no word of the query was found. */
  bm25: number
  /** Null when the fragment has no vector yet. */
  cosine: number | null
  /** Places in the two lists, from 1; null when not among them. */
  ranks: { words: number | null; vectors: number | null }
}

export interface FusionInput {
  /** Best first; those after `depth` only give their BM25 to hits by meaning. */
  words: KeyScore[]
  /** Best first. */
  vectors: KeyScore[]
  /** Cosines of word hits that the vector search did not bring. */
  cosines: KeyScore[]
  /** Share of the cosine in the score, 0 to 1. */
  denseShare: number
  depth: number
}

const plainEnglish = 1.35
const unknownLanguage = 2

/**
 * How well the model knows the language of a query: 1 up to 1.35 word pieces a word, 0 from 2.0, linear between. Decided
 * by query, not by collection: to the tokenizer source code looks like a foreign language.
 */
export function familiarity(piecesPerWord: number): number {
  return Math.min(1, Math.max(0, (unknownLanguage - piecesPerWord) / (unknownLanguage - plainEnglish)))
}

/** .6 for a language that the model knows, .4 for one that it does not. Chosen on ten test sets; the optimum is flat. */
export function denseShareOf(piecesPerWord: number): number {
  return 0.4 + 0.2 * familiarity(piecesPerWord)
}

/**
 * Fuses words and meaning: the union of both lists, each scored (1 - w) x BM25 / best BM25 + w x cosine / best cosine.
 * Scores, not ranks, for ranks hide that all cosines of a foreign language are alike. Ties go to the smaller key.
 */
export function fuse({ words, vectors, cosines, denseShare, depth }: FusionInput): FusedHit[] {
  const bm25 = new Map(words.map(({ key, score }) => [key, score]))
  const cosine = new Map([...cosines, ...vectors].map(({ key, score }) => [key, score]))
  const wordRanks = ranksOf(words.slice(0, depth))
  const vectorRanks = ranksOf(vectors.slice(0, depth))
  const keys = [...new Set([...wordRanks.keys(), ...vectorRanks.keys()])]
  const bestBm25 = Math.max(0, ...words.map(({ score }) => score))
  const bestCosine = Math.max(0, ...keys.map((key) => cosine.get(key) ?? 0))
  const share = bestCosine === 0 ? 0 : bestBm25 === 0 ? 1 : denseShare
  // A fragment without a vector yet is taken for an average one, not for the worst.
  const usual = median(keys.flatMap((key) => cosine.get(key) ?? []))

  return keys
    .map((key) => ({
      key,
      score: (1 - share) * ratio(bm25.get(key) ?? 0, bestBm25) + share * ratio(cosine.get(key) ?? usual, bestCosine),
      bm25: bm25.get(key) ?? 0,
      cosine: cosine.get(key) ?? null,
      ranks: { words: wordRanks.get(key) ?? null, vectors: vectorRanks.get(key) ?? null },
    }))
    .sort((a, b) => b.score - a.score || a.key - b.key)
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
