import type { KeyScore } from '../../engine/ports/search-index'
import { headingColumns } from './match-expressions'
import { anyOf, type CountedTerm, headingWeight, termIdf } from './query-plan'
import type { Statements, Subset } from './statements'

/** Terms that are searched in pairs, or in headings. */
const maxPairedTerms = 3
/** More terms than these hardly ever occur together. */
const maxTogether = 5
/** Terms with more fragments take too long to search in pairs. */
const maxFragments = 40_000
const maxKeys = 1_000

interface Combination {
  match: string
  terms: CountedTerm[]
  inHeading: boolean
}

/**
 * Fragments with a rare combination of common terms: all of them, two of them, or one in a title or heading. Scores are
 * sums of their inverse document frequencies. Of a combination that is frequent after all, returns only some fragments.
 */
export function rankCombinations(
  statements: Statements,
  common: CountedTerm[],
  fragments: number,
  subset: Subset | null,
): KeyScore[] {
  const contained = new Map<number, { terms: Set<CountedTerm>; inHeading: Set<CountedTerm> }>()
  for (const { match, terms, inHeading } of combinationsOf(common)) {
    for (const key of statements.matchingKeys(match, maxKeys, subset)) {
      const known = contained.get(key) ?? { terms: new Set(), inHeading: new Set() }
      for (const term of terms) {
        known.terms.add(term)
        if (inHeading) known.inHeading.add(term)
      }
      contained.set(key, known)
    }
  }
  const idfOf = (terms: Set<CountedTerm>) => [...terms].reduce((sum, term) => sum + termIdf(term, fragments), 0)
  return [...contained].map(([key, { terms, inHeading }]) => ({
    key,
    score: idfOf(terms) + headingWeight * idfOf(inHeading),
  }))
}

function combinationsOf(common: CountedTerm[]): Combination[] {
  const paired = common.filter(({ count }) => count <= maxFragments).slice(0, maxPairedTerms)
  const together = common.slice(0, maxTogether)
  const pairs = paired.flatMap((first, n) => paired.slice(n + 1).map((countedTerm) => [first, countedTerm]))
  const inHeadings = paired.length > 0 ? paired : common.slice(0, 1)
  const several = together.length > 2 || paired.length < 2 ? [together, ...pairs] : pairs
  return [
    ...several.map((terms) => ({ match: terms.map((term) => anyOf(term)).join(' AND '), terms, inHeading: false })),
    ...inHeadings.map((term) => ({
      match: `${headingColumns} : ${anyOf(term)}`,
      terms: [term],
      inHeading: true,
    })),
  ]
}
