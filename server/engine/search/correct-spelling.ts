import { foldWords } from '../language/normalize-text'
import type { WordHits } from '../ports'

const word = /[\p{L}\p{N}\p{M}]+/gu

/**
 * For each folded word that was misspelt, or not typed to its end, the folded word that was looked for instead; those are
 * taken from what words found.
 */
export function correctionsOf(instead: WordHits['instead']): Map<string, string> {
  const corrections = new Map<string, string>()
  for (const [asked, { words, because }] of instead) {
    const [first] = words
    const isCorrection = because === 'misspelt' || because === 'beginning'
    if (first !== undefined && isCorrection) corrections.set(asked, first)
  }
  return corrections
}

/** The query with these words in place of its own; `written` says how texts write a folded word. */
export function correctQuery(
  query: string,
  corrections: ReadonlyMap<string, string>,
  written: ReadonlyMap<string, string>,
): string {
  if (corrections.size === 0) return query
  return query.normalize('NFC').replace(word, (one) => {
    const other = corrections.get(foldWords(one))
    return other === undefined ? one : (written.get(other) ?? other)
  })
}
