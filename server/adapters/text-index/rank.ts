import type { KeyScore } from '../../engine/ports/search-index'
import { headingColumns } from './match-expressions'
import {
  anyOf,
  type CountedTerm,
  countPostings,
  headingWeight,
  maxRankedPostings,
  planQuery,
  termIdf,
  withCollectionIdf,
} from './query-plan'
import { rankCombinations } from './rank-combinations'
import type { Statements, Subset } from './statements'

/** What is ranked: a collection or a subset of it. */
export interface RankScope {
  /** Number of fragments of the collection, and of all collections. */
  fragments: number
  totalFragments: number
  subset: Subset | null
}

/** Hits whose common terms are examined. */
const maxExaminedHits = 300

/** Ranks the fragments that contain any of these terms, best first. */
export function rankTerms(statements: Statements, scope: RankScope, terms: CountedTerm[], limit: number): KeyScore[] {
  const { fragments, subset } = scope
  const { rare, common, ignored } = planQuery(terms, fragments, subset ? Math.min(1, subset.size / fragments) : 1)
  const hits = rare.length === 0 ? [] : rankRare(statements, scope, rare, common, limit)
  const frequent = common.length > 0 ? common : ignored
  // Few postings of rare terms leave time to search combinations of common ones.
  const isCheap = countPostings(rare) < maxRankedPostings(fragments) / 2
  const combined = isCheap && frequent.length > 0 ? rankCombinations(statements, frequent, fragments, subset) : []
  const known = new Set(hits.map(({ key }) => key))
  return [...hits, ...combined.filter(({ key }) => !known.has(key))].sort(byScore).slice(0, limit)
}

function rankRare(
  statements: Statements,
  { fragments, totalFragments, subset }: RankScope,
  rare: CountedTerm[],
  common: CountedTerm[],
  limit: number,
): KeyScore[] {
  const matches = withCollectionIdf(rare, fragments, totalFragments)
  const hits = statements.rank(matches, Math.max(limit, maxExaminedHits), subset)
  if (common.length === 0) return hits
  const commonMatches = common.flatMap((term) => {
    const weight = termIdf(term, fragments)
    const match = `${anyOf(...rare)} AND ${anyOf(term)}`
    const inHeading = `${anyOf(...rare)} AND ${headingColumns} : ${anyOf(term)}`
    return [
      { match, weight },
      { match: inHeading, weight: weight * headingWeight },
    ]
  })
  const keys = hits.slice(0, maxExaminedHits).map(({ key }) => key)
  return addScores(hits, statements.sumWeights(commonMatches, keys))
}

/** Adds scores to those of the hits, best first. */
export function addScores(hits: KeyScore[], scores: KeyScore[]): KeyScore[] {
  const added = new Map(scores.map(({ key, score }) => [key, score]))
  return hits.map(({ key, score }) => ({ key, score: score + (added.get(key) ?? 0) })).sort(byScore)
}

function byScore(a: KeyScore, b: KeyScore): number {
  return b.score - a.score || a.key - b.key
}
