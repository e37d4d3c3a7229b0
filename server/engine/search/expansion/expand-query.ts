import { foldText, normalizeUnicode } from '../../language/normalize-text'
import type { ParsedQuery } from '../../ports/parsed-query'
import type { QueryExpansion } from '../../ports/search-index'
import { nameParts } from '../query/identifiers'
import { findCompletions } from './completions'
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
const minPartLength = 2

/**
 * Expands folded query words that occur nowhere in the collection: names to their parts, others to words that start with
 * them, and as a last resort to corrections.
 */
export function expandMissingWords(vocabulary: Vocabulary, query: ParsedQuery, missing: string[]): Expansion {
  const typed = new Map((normalizeUnicode(query.text).match(word) ?? []).map((text) => [foldText(text), text]))
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
    const completions = findCompletions(vocabulary, missingWord)
    if (completions.length > 0) {
      expansion.expansions.set(missingWord, { words: completions, reason: 'prefix' })
      expansion.terms.push({ kind: 'prefix', word: missingWord })
      return
    }
    const corrections = findCorrections(vocabulary, missingWord, query.isEnglish)
    if (corrections.length === 0) return
    expansion.expansions.set(missingWord, { words: corrections.slice(0, 1), reason: 'misspelling' })
    expansion.terms.push(...corrections.map(asWord))
  }
}

function asWord(text: string): KeywordTerm {
  return { kind: 'word', word: text }
}
