import type { Weighted } from './queries'

/** One word or code of a query, with the fragments that each of its matches has in the collection. */
export interface Counted {
  matches: (Weighted & { count: number })[]
  count: number
}

export interface Plan {
  /** What is looked for. */
  rare: Counted[]
  /** What only counts where something rare is found too, the rarest first. */
  common: Counted[]
  /** What is so common that it says nothing beside others. */
  rest: Counted[]
}

/** Fragments of a collection in which words cost little to count, which leaves time to rank more. */
const fewFragments = 50_000
/** Postings that are read to see which of the best hold common words: thirty cost about a microsecond. */
const mostRead = 100_000

/**
 * Which words are looked for, so that a search costs the same in a collection of any size: the rarer ones, as many as
 * there is room for. What holds nothing but common words of a question is hardly its answer; among those that hold rarer
 * ones, the common ones decide. `share` of the collection's fragments are looked at.
 */
export function planOf(sought: Counted[], fragments: number, share: number): Plan {
  const found = sought.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count)
  const rare = fitting(found, Math.min(mostRanked(fragments) / share, mostRead))
  const common = fitting(found.slice(rare.length), mostRead)
  return { rare, common, rest: found.slice(rare.length + common.length) }
}

/** Postings that are ranked by BM25 in a collection of this size: each costs about a microsecond. */
export function mostRanked(fragments: number): number {
  return fragments < fewFragments ? 5_000 : 3_000
}

/** The first ones, as many as hold no more than this together. */
function fitting(some: Counted[], most: number): Counted[] {
  let sum = 0
  const tooMuch = some.findIndex(({ count }) => {
    sum += count
    return sum > most
  })
  return tooMuch === -1 ? some : some.slice(0, tooMuch)
}

/** How many fragments these words have together, those of several counted for each. */
export function postingsOf(some: Counted[]): number {
  return some.reduce((sum, { count }) => sum + count, 0)
}

/** What a word in a title or heading counts more than anywhere: about what BM25 gives. */
export const headingShare = 0.5

/** A match of any of these words. */
export function anyOf(...some: Counted[]): string {
  return `(${some.flatMap(({ matches }) => matches.map(({ match }) => match)).join(' OR ')})`
}

/** How much it says to hold this word: its weight in BM25 (S. Robertson, K. Spärck Jones, 1976), of all its matches. */
export function worthOf({ matches }: Counted, fragments: number): number {
  return matches.reduce((sum, { count, weight }) => sum + weight * rarity(count, fragments), 0)
}

/** Words of which so many of the fragments have some say this much. */
function rarity(count: number, fragments: number): number {
  return Math.max(1e-6, Math.log((Math.max(0, fragments - count) + 0.5) / (count + 0.5)))
}

/**
 * The matches of these words and what their BM25 is to be multiplied by: FTS5 takes a word for as rare as it is among
 * all fragments. Where the collection has most of them, that is right.
 */
export function corrected(some: Counted[], fragments: number, allFragments: number): Weighted[] {
  const isMost = fragments * 4 >= allFragments
  return some.flatMap(({ matches }) =>
    matches.map(({ match, weight, count }) => ({
      match,
      weight: isMost ? weight : (weight * rarity(count, fragments)) / rarity(count, allFragments),
    })),
  )
}
