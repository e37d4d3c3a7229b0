import type { CompiledTerm } from './match-expressions'
import type { WeightedMatch } from './statements'

/** A term with the number of fragments of each of its matches, and their sum. */
export interface CountedTerm extends CompiledTerm {
  matches: (WeightedMatch & { count: number })[]
  count: number
}

export interface QueryPlan {
  /** Terms that are searched. */
  rare: CountedTerm[]
  /** Terms that only add to the score of fragments with a rare term, the rarest first. */
  common: CountedTerm[]
  /** Terms too common to distinguish fragments. */
  ignored: CountedTerm[]
}

/** Fragments of a collection below which terms cost little to count, which leaves time to rank more. */
const smallCollection = 50_000
/** Postings read to see which of the best hits contain common terms: 30 of them cost about a microsecond. */
const maxReadPostings = 100_000

/**
 * Divides the terms of a query so that a search costs the same in a collection of any size: as many of the rarest terms
 * are searched as the budget allows. A fragment that contains only common terms is hardly the answer; among those with
 * rare terms, the common ones decide. `share`: part of the collection's fragments that is searched, from 0 to 1.
 */
export function planQuery(terms: CountedTerm[], fragments: number, share: number): QueryPlan {
  const found = terms.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count)
  const rare = takeWithin(found, Math.min(maxRankedPostings(fragments) / share, maxReadPostings))
  const common = takeWithin(found.slice(rare.length), maxReadPostings)
  return { rare, common, ignored: found.slice(rare.length + common.length) }
}

/** Postings that are ranked by BM25 in a collection of this size: each costs about a microsecond. */
export function maxRankedPostings(fragments: number): number {
  return fragments < smallCollection ? 5_000 : 3_000
}

/** The first terms that have at most `max` postings together. */
function takeWithin(terms: CountedTerm[], max: number): CountedTerm[] {
  let sum = 0
  const end = terms.findIndex(({ count }) => {
    sum += count
    return sum > max
  })
  return end === -1 ? terms : terms.slice(0, end)
}

/** Number of postings of these terms together. */
export function countPostings(terms: CountedTerm[]): number {
  return terms.reduce((sum, { count }) => sum + count, 0)
}

/** Additional weight of a term in a title or heading: about what BM25 gives. */
export const headingWeight = 0.5

/** An expression that matches any of these terms. */
export function anyOf(...terms: CountedTerm[]): string {
  return `(${terms.flatMap(({ matches }) => matches.map(({ match }) => match)).join(' OR ')})`
}

/** The inverse document frequency of a term in BM25 (S. Robertson, K. Spärck Jones, 1976), over all of its matches. */
export function termIdf({ matches }: CountedTerm, fragments: number): number {
  return matches.reduce((sum, { count, weight }) => sum + weight * idf(count, fragments), 0)
}

function idf(count: number, fragments: number): number {
  return Math.max(1e-6, Math.log((Math.max(0, fragments - count) + 0.5) / (count + 0.5)))
}

/**
 * The matches of these terms with weights that make BM25 use their frequency in the collection. FTS5 uses that among the
 * fragments of all collections, which is accurate enough if the collection has a quarter of them or more.
 */
export function withCollectionIdf(terms: CountedTerm[], fragments: number, totalFragments: number): WeightedMatch[] {
  const isAccurate = fragments * 4 >= totalFragments
  return terms.flatMap(({ matches }) =>
    matches.map(({ match, weight, count }) => ({
      match,
      weight: isAccurate ? weight : (weight * idf(count, fragments)) / idf(count, totalFragments),
    })),
  )
}
