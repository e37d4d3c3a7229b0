import { foldText } from '../../language/normalize-text'
import type { QueryExpansion } from '../../ports/search-index'

const word = /[\p{L}\p{N}\p{M}]+/gu

/** Returns, by misspelled or incomplete query word, the word that keyword search took it for; both folded. */
export function correctionsOf(expansions: ReadonlyMap<string, QueryExpansion>): Map<string, string> {
  const corrections = new Map<string, string>()
  for (const [typed, { words, reason }] of expansions) {
    const [first] = words
    const isCorrection = reason === 'misspelling' || reason === 'prefix'
    if (first !== undefined && isCorrection) corrections.set(typed, first)
  }
  return corrections
}

/** Replaces the corrected words of a query. `spellings` maps a folded word to its spelling in the texts. */
export function correctQuery(
  query: string,
  corrections: ReadonlyMap<string, string>,
  spellings: ReadonlyMap<string, string>,
): string {
  if (corrections.size === 0) return query
  return query.normalize('NFC').replace(word, (typed) => {
    const meant = corrections.get(foldText(typed))
    return meant === undefined ? typed : (spellings.get(meant) ?? meant)
  })
}
