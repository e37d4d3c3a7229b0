import { inflectionsOf } from '../../engine/search/expansion/inflections'
import type { KeywordTerm } from '../../engine/search/expansion/keyword-terms'
import type { WeightedMatch } from './statements'
import { cutWord, prefixTerm, stemOf } from './terms'

/** A term as FTS5 matches it, by one expression or several. */
export interface CompiledTerm {
  term: KeywordTerm
  matches: WeightedMatch[]
}

export const wordColumns = '{title headings text}'
export const stemColumns = '{title_stems heading_stems text_stems}'
/** A word that equals its stem is indexed once, as a word. */
const allColumns = '{title headings text title_stems heading_stems text_stems}'
export const headingColumns = '{title headings title_stems heading_stems}'
/** For the stem of an inflected word, which also matches by its prefix: inflected forms are misleadingly rare. */
const stemWeight = 0.3
/** For the same stem in a fragment that is indexed without that prefix, as English ones are. */
const soleStemWeight = 0.7
/** For words that start with the term. */
const partialWeight = 0.5
/** For inflections of a word that is too short to have a prefix. */
const inflectionWeight = 0.5

/** Compiles terms to expressions over the terms of one collection, which start with `prefix`. */
export function createTermCompiler(prefix: string, { isEnglish }: { isEnglish: boolean }) {
  return (term: KeywordTerm): CompiledTerm => ({ term, matches: matchesOf(term) })

  function matchesOf(term: KeywordTerm): WeightedMatch[] {
    switch (term.kind) {
      case 'word':
        return isEnglish ? englishWord(term.word) : inflectedWord(term.word)
      case 'bigram': {
        const match = phrase(stemColumns, [term.characters])
        return [{ match: [...term.characters].length === 1 ? `${match} *` : match, weight: 1 }]
      }
      case 'identifier': {
        const { words } = term
        const asPhrase = { match: phrase(wordColumns, words), weight: 1 }
        return words.length > 1 ? [asPhrase, { match: joinedMatch(prefix, words), weight: 1 }] : [asPhrase]
      }
      case 'prefix':
        return [{ match: `${phrase(wordColumns, [term.word])} *`, weight: partialWeight }]
    }
  }

  function englishWord(word: string): WeightedMatch[] {
    return [
      { match: phrase(wordColumns, [word]), weight: 1 },
      { match: phrase(allColumns, [stemOf(word)]), weight: 1 },
    ]
  }

  function inflectedWord(word: string): WeightedMatch[] {
    const byPrefix = prefixTerm(word)
    if (byPrefix !== null) {
      const prefixMatch = phrase(stemColumns, [byPrefix])
      const stemMatch = phrase(allColumns, [stemOf(word)])
      return [
        { match: prefixMatch, weight: 1 },
        { match: stemMatch, weight: stemWeight },
        { match: `((${stemMatch}) NOT (${prefixMatch}))`, weight: soleStemWeight },
      ]
    }
    const exact = { match: phrase(wordColumns, [word]), weight: 1 }
    const inflections = inflectionsOf(word).map((inflection) => `"${prefix}${inflection}"`)
    if (inflections.length === 0) return [exact]
    return [exact, { match: `${wordColumns} : (${inflections.join(' OR ')})`, weight: inflectionWeight }]
  }

  function phrase(columns: string, words: string[]): string {
    return phraseMatch(prefix, columns, words)
  }
}

/** Matches the words of an identifier written as one. */
export function joinedMatch(prefix: string, words: string[]): string {
  return phraseMatch(prefix, wordColumns, [words.join('')])
}

/** Matches terms that follow one another in one of the columns. */
function phraseMatch(prefix: string, columns: string, terms: string[]): string {
  return `${columns} : "${terms.map((term) => prefix + cutWord(term)).join(' ')}"`
}
