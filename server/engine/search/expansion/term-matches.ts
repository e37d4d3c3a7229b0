import { prefixTerm, stemOf } from '../terms'
import { inflectionsOf } from './inflections'
import type { KeywordTerm } from './keyword-terms'

/** What a term of a query matches in the index, with its weight. */
export type TermMatch = { weight: number } & (
  | { kind: 'word'; word: string }
  /** A word, a stem or a prefix. */
  | { kind: 'term'; term: string }
  /** Fragments with a term, as far as they are without another one. */
  | { kind: 'without'; term: string; excluded: string }
  | { kind: 'starting-with'; start: string; wordsOnly: boolean }
  /** Words that follow one another. */
  | { kind: 'phrase'; words: string[] }
)

/** For the stem of an inflected word, which also matches by its prefix: inflected forms are misleadingly rare. */
const stemWeight = 0.3
/** For the same stem in a fragment that is indexed without that prefix, as English ones are. */
const soleStemWeight = 0.7
/** For words that start with the term. */
const partialWeight = 0.5
/** For inflections of a word that is too short to have a prefix. */
const inflectionWeight = 0.5

export function matchesOf(term: KeywordTerm, { isEnglish }: { isEnglish: boolean }): TermMatch[] {
  switch (term.kind) {
    case 'word':
      return isEnglish ? [word(term.word), { kind: 'term', term: stemOf(term.word), weight: 1 }] : inflected(term.word)
    case 'bigram':
      return [...term.characters].length === 1
        ? [{ kind: 'starting-with', start: term.characters, wordsOnly: false, weight: 1 }]
        : [{ kind: 'term', term: term.characters, weight: 1 }]
    case 'identifier':
      return term.words.length > 1
        ? [{ kind: 'phrase', words: term.words, weight: 1 }, word(term.words.join(''))]
        : term.words.map((text) => word(text))
    case 'prefix':
      return [{ kind: 'starting-with', start: term.word, wordsOnly: true, weight: partialWeight }]
  }
}

function inflected(text: string): TermMatch[] {
  const prefix = prefixTerm(text)
  if (prefix === null) return [word(text), ...inflectionsOf(text).map((form) => word(form, inflectionWeight))]
  const stem = stemOf(text)
  return [
    { kind: 'term', term: prefix, weight: 1 },
    { kind: 'term', term: stem, weight: stemWeight },
    { kind: 'without', term: stem, excluded: prefix, weight: soleStemWeight },
  ]
}

function word(text: string, weight = 1): TermMatch {
  return { kind: 'word', word: text, weight }
}

/**
 * The matches that have fragments. English texts are indexed without prefixes: where what weighs most is missing, the
 * others take over its weight.
 */
export function foundMatches<Match extends { weight: number; count: number }>(matches: Match[]): Match[] {
  const found = matches.filter(({ count }) => count > 0)
  const factor = maxWeight(matches) / Math.max(maxWeight(found), Number.MIN_VALUE)
  return found.map((match) => ({ ...match, weight: match.weight * factor }))
}

function maxWeight(matches: { weight: number }[]): number {
  return Math.max(0, ...matches.map(({ weight }) => weight))
}
