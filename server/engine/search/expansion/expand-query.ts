import { foldText, normalizeUnicode } from '../../language/normalize-text'
import type { ParsedQuery } from '../../ports/parsed-query'
import type { QueryExpansion } from '../../ports/search-index'
import { nameParts } from '../query/identifiers'
import { findCompletions } from './completions'
import { editDistance } from './edit-distance'
import type { KeywordTerm } from './keyword-terms'
import { findCorrections } from './spelling'
import type { Vocabulary } from './vocabulary'
import { findRelated, type RelatedWords } from './word-parts'

/** Terms to search in addition to those of the query, and by folded query word what they stand for. */
export interface Expansion {
  terms: KeywordTerm[]
  expansions: Map<string, QueryExpansion>
}

const word = /[\p{L}\p{N}\p{M}]+/gu
const maxMissingWords = 4
const minPartLength = 2
const none: RelatedWords = { words: [], terms: [] }

/**
 * Expands folded query words that occur nowhere in the collection: names to their parts, others to words that start with
 * them, to corrections, and in other languages than English, which join words, to words that are parts of them.
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
    const isTypo = query.isEnglish || corrections.some((word) => editDistance(word, missingWord, 1) === 1)
    const related = isTypo ? none : findRelated(vocabulary, missingWord)
    if (related.words.some((text) => !corrections.includes(text))) {
      expansion.expansions.set(missingWord, {
        words: [...new Set([...corrections, ...related.words])],
        reason: 'parts',
      })
      const others = corrections.filter(
        (text) => !related.terms.some((term) => term.kind === 'prefix' && text.startsWith(term.word)),
      )
      expansion.terms.push(...others.map(asWord), ...related.terms)
    } else if (corrections.length > 0) {
      expansion.expansions.set(missingWord, { words: corrections.slice(0, 1), reason: 'misspelling' })
      expansion.terms.push(...corrections.map(asWord))
    }
  }
}

function asWord(text: string): KeywordTerm {
  return { kind: 'word', word: text }
}
