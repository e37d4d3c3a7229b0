import type { Vocabulary } from '../../../engine/search/expansion/vocabulary'
import { prefixMark } from '../../../engine/search/terms'
import type { TermResolver } from './resolved-terms'

const maxCount = 100

/** The vocabulary of a collection, of which a search finds the terms. */
export function createVocabulary({ resolve, startingWith }: TermResolver): Vocabulary {
  return {
    countWords: (words) => countAll(words, (word) => resolve(word).wordFragments),
    countPrefixes: (prefixes) => countAll(prefixes, (prefix) => resolve(prefix + prefixMark).fragments),
    sumFragments: (terms) => terms.reduce((sum, term) => sum + resolve(term).fragments, 0),
    termsStartingWith: (prefix, limit) => startingWith(prefix, limit).map(({ term }) => term),
  }
}

function countAll(texts: string[], countOf: (text: string) => number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const count = countOf(text)
    if (count > 0) counts.set(text, Math.min(maxCount, count))
  }
  return counts
}
