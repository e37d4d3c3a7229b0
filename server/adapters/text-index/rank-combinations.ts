import type { KeyScore } from '../../engine/ports'
import { headingColumns } from './match-expressions'
import type { WordQueries } from './queries'
import { anyOf, type Counted, headingShare, worthOf } from './query-plan'

/** Common words of which two together, or one in a heading, are looked for. */
const mostCombined = 3
/** Of more words than these, all together are hardly anywhere. */
const mostTogether = 5
/** Words with more fragments take too long to be looked for by twos. */
const mostCommon = 40_000
const mostOfEach = 1_000

interface Combination {
  match: string
  words: Counted[]
  inHeading: boolean
}

/**
 * Fragments that hold something rare although each word is common: all of them, two of them, or one in a title or
 * heading; each with the worth of those words. Of what is not rare after all, some.
 */
export async function rankCombinations(
  queries: WordQueries,
  common: Counted[],
  fragments: number,
  among: ReadonlySet<number> | undefined,
): Promise<KeyScore[]> {
  const combinations = combinationsOf(common)
  const found = await queries.someOfEach(
    combinations.map(({ match }) => match),
    mostOfEach,
    among,
  )
  const held = new Map<number, { words: Set<Counted>; inHeading: Set<Counted> }>()
  for (const [n, keys] of found.entries()) {
    const { words = [], inHeading = false } = combinations[n] ?? {}
    for (const key of keys) {
      const known = held.get(key) ?? { words: new Set(), inHeading: new Set() }
      for (const word of words) {
        known.words.add(word)
        if (inHeading) known.inHeading.add(word)
      }
      held.set(key, known)
    }
  }
  const worth = (words: Set<Counted>) => [...words].reduce((sum, word) => sum + worthOf(word, fragments), 0)
  return [...held].map(([key, { words, inHeading }]) => ({
    key,
    score: worth(words) + headingShare * worth(inHeading),
  }))
}

function combinationsOf(common: Counted[]): Combination[] {
  const some = common.filter(({ count }) => count <= mostCommon).slice(0, mostCombined)
  const together = common.slice(0, mostTogether)
  const pairs = some.flatMap((one, n) => some.slice(n + 1).map((other) => [one, other]))
  const headed = some.length > 0 ? some : common.slice(0, 1)
  const several = together.length > 2 || some.length < 2 ? [together, ...pairs] : pairs
  return [
    ...several.map((words) => ({ match: words.map((word) => anyOf(word)).join(' AND '), words, inHeading: false })),
    ...headed.map((word) => ({
      match: `${headingColumns} : ${anyOf(word)}`,
      words: [word],
      inHeading: true,
    })),
  ]
}
