import { foldText, normalizeUnicode } from '../../language/normalize-text'
import type { QueryExpansion } from '../../ports'
import { nameParts } from '../query/identifiers'
import type { ParsedQuery } from '../query/parsed-query'
import { findCompletions, findCompounds } from './compounds'
import { inflectionsOf } from './inflections'
import type { KeywordTerm } from './keyword-terms'
import { findCorrections } from './spelling'
import type { Vocabulary } from './vocabulary'

/** Terms to search in addition to those of the query, and by folded query word what they stand for. */
export interface Expansion {
  terms: KeywordTerm[]
  expansions: Map<string, QueryExpansion>
}

const word = /[\p{L}\p{N}\p{M}]+/gu
const maxMissingWords = 4
const maxRareWords = 4
/** A word with fewer fragments is rare. */
const minFragments = 10
const minPartLength = 2

/**
 * Expands folded query words that occur nowhere in the collection: names to their parts, others to compounds that end
 * with them and words that start with them, and as a last resort to corrections.
 */
export function expandMissingWords(vocabulary: Vocabulary, query: ParsedQuery, missing: string[]): Expansion {
  const typed = new Map((normalizeUnicode(query.text).match(word) ?? []).map((one) => [foldText(one), one]))
  const expansion: Expansion = { terms: [], expansions: new Map() }
  missing.slice(0, maxMissingWords).forEach(expandMissingWord)
  return expansion

  function expandMissingWord(missingWord: string): void {
    const parts = nameParts(typed.get(missingWord) ?? '')
      .map(foldText)
      .filter((part) => part.length >= minPartLength)
    if (parts.length > 0) {
      expansion.expansions.set(missingWord, { words: parts, reason: 'parts' })
      expansion.terms.push(...parts.map(asWord))
      return
    }
    const compounds = findCompounds(vocabulary, missingWord, inflectionsOf(missingWord))
    const completions = findCompletions(vocabulary, missingWord)
    const isPrefix = completions.length > 0
    if (compounds || isPrefix) {
      expansion.expansions.set(missingWord, {
        ...(compounds ? { endings: compounds.endings } : {}),
        ...(isPrefix ? { isPrefix } : {}),
        words: [...(compounds?.words ?? []), ...completions],
        reason: compounds ? 'compounds' : 'prefix',
      })
      if (compounds) expansion.terms.push({ kind: 'ending', endings: compounds.endings })
      if (isPrefix) expansion.terms.push({ kind: 'prefix', word: missingWord })
      return
    }
    const corrections = findCorrections(vocabulary, missingWord, query.isEnglish)
    if (corrections.length === 0) return
    expansion.expansions.set(missingWord, { words: corrections.slice(0, 1), reason: 'misspelling' })
    expansion.terms.push(...corrections.map(asWord))
  }
}

/**
 * Expands folded query words that occur, but rarely as such, to the compounds that end with them. English writes
 * compounds as separate words, so its words are not expanded.
 */
export function expandRareWords(vocabulary: Vocabulary, query: ParsedQuery, words: string[]): Expansion {
  const expansion: Expansion = { terms: [], expansions: new Map() }
  if (query.isEnglish) return expansion
  const frequencies = vocabulary.countWords(words)
  const rare = words.filter((one) => (frequencies.get(one) ?? 0) < minFragments).slice(0, maxRareWords)
  for (const one of rare) {
    const compounds = findCompounds(vocabulary, one, frequencies.has(one) ? [] : inflectionsOf(one))
    if (!compounds) continue
    const { endings, words: found } = compounds
    expansion.expansions.set(one, { endings, words: [one, ...found], reason: 'compounds' })
    expansion.terms.push({ kind: 'ending', endings })
  }
  return expansion
}

function asWord(one: string): KeywordTerm {
  return { kind: 'word', word: one }
}
