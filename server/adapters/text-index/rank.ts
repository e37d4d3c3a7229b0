import type { KeyScore } from '../../engine/ports'
import { headingColumns } from './match-expressions'
import type { WordQueries } from './queries'
import { anyOf, type Counted, corrected, headingShare, mostRanked, planOf, postingsOf, worthOf } from './query-plan'
import { rankCombinations } from './rank-combinations'

/** Which fragments are searched, and how many there are in the collection and in all. */
export interface Searched {
  fragments: number
  allFragments: number
  among: ReadonlySet<number> | undefined
}

/** So many of the best are looked at for common words. */
const bestRanked = 300

/** Ranks what holds any of these words, best first. */
export async function rankWords(
  queries: WordQueries,
  { fragments, allFragments, among }: Searched,
  words: Counted[],
  limit: number,
): Promise<KeyScore[]> {
  const { rare, common, rest } = planOf(words, fragments, among ? Math.min(1, among.size / fragments) : 1)
  if (rare.length === 0 && common.length + rest.length === 0) return []
  // With fewer postings of rare words, combinations of common ones are looked for as well.
  const enoughRare = mostRanked(fragments) / 2
  const [hits, others] = await Promise.all([
    rare.length === 0 ? [] : rankRare(),
    postingsOf(rare) >= enoughRare || common.length + rest.length === 0
      ? []
      : rankCombinations(queries, common.length > 0 ? common : rest, fragments, among),
  ])
  const known = new Set(hits.map(({ key }) => key))
  return [...hits, ...others.filter(({ key }) => !known.has(key))].sort(byScore).slice(0, limit)

  async function rankRare(): Promise<KeyScore[]> {
    const best = await queries.rank(corrected(rare, fragments, allFragments), Math.max(limit, bestRanked), among)
    if (common.length === 0) return best
    const parts = common.flatMap((word) => {
      const weight = worthOf(word, fragments)
      const match = `${anyOf(...rare)} AND ${anyOf(word)}`
      const inHeading = `${anyOf(...rare)} AND ${headingColumns} : ${anyOf(word)}`
      return [
        { match, weight },
        { match: inHeading, weight: weight * headingShare },
      ]
    })
    const keys = best.slice(0, bestRanked).map(({ key }) => key)
    return addScores(best, await queries.hold(parts, keys))
  }
}

/** The sums, best first; of fragments that have none of the first ones, nothing. */
export function addScores(some: KeyScore[], more: KeyScore[]): KeyScore[] {
  const added = new Map(more.map(({ key, score }) => [key, score]))
  return some.map(({ key, score }) => ({ key, score: score + (added.get(key) ?? 0) })).sort(byScore)
}

function byScore(a: KeyScore, b: KeyScore): number {
  return b.score - a.score || a.key - b.key
}
