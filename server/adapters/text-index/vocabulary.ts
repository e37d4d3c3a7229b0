import type { Vocabulary } from '../../engine/search/expansion/vocabulary'
import { stemColumns, wordColumns } from './match-expressions'
import type { Statements } from './statements'
import { prefixMark } from './terms'

/** The vocabulary of the collection whose terms start with `prefix`. */
export function createVocabulary(statements: Statements, prefix: string): Vocabulary {
  return {
    countWords: (words) => countTerms(wordColumns, words),

    countPrefixes(prefixes) {
      const terms = countTerms(
        stemColumns,
        prefixes.map((text) => text + prefixMark),
      )
      return new Map([...terms].map(([term, fragments]) => [term.slice(0, -prefixMark.length), fragments]))
    },

    termsStartingWith: (start, limit) =>
      statements
        .termsStartingWith(prefix + start, limit)
        .map(({ term, fragments }) => ({ term: term.slice(prefix.length), fragments })),
  }

  function countTerms(columns: string, terms: string[]): Map<string, number> {
    if (terms.length === 0) return new Map()
    const found = statements.countTerms(
      columns,
      terms.map((term) => prefix + term),
    )
    return new Map(found.map(({ term, fragments }) => [term.slice(prefix.length), fragments]))
  }
}
