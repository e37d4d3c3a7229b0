import {
  bigrams,
  foldText,
  isUnsegmented,
  normalizeUnicode,
  splitWords,
  stripArabicArticle,
} from '../../language/normalize-text'
import { contentPairs } from '../../language/question-phrases'
import { nameParts } from '../query/identifiers'
import { type LikelyWords, prefixOf } from './likely-words'
import { partSimilarity, tellingLetters, termSimilarity } from './term-similarity'

/** A query word, prepared for comparison with texts: as bigrams in unsegmented scripts, otherwise as its parts. */
export interface QueryTerm {
  bigrams: string[]
  parts: string[]
  /** Coverage of a text that contains the term, at most 1. */
  weight: number
  /** Whether a term of four letters matches longer words that start with it, as longer terms always do. */
  isPrefix: boolean
}

/** A query word, and how it matches if keyword search expanded it. */
export interface TermForm {
  word: string
  weight?: number
  isPrefix?: boolean
}

/** The words of a text, prepared for comparison with query terms. */
export interface TextWords {
  text: string
  /** Folded words by their first two letters: words with different first letters are never similar. */
  byPrefix: ReadonlyMap<string, ReadonlySet<string>>
}

/** Parts of words add nothing to a term that is covered as well. */
const partialCoverage = 0.8
const noWords: ReadonlySet<string> = new Set()
/** Names whose parts count as words, too. */
const multipartName = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u

/** The terms of a query, in its order. */
export function queryTerms(words: (string | TermForm)[]): QueryTerm[] {
  return words.map((item) => {
    const form: TermForm = typeof item === 'string' ? { word: item } : item
    const { word, weight = 1, isPrefix = false } = form
    const folded = foldText(word)
    if (isUnsegmented(folded)) return { bigrams: contentPairs(bigrams(folded)), parts: [], weight, isPrefix }
    return { bigrams: [], parts: splitWords(folded).map(stripArabicArticle), weight, isPrefix }
  })
}

/** Prepares a text once for any number of terms. With `likely`, only the words that it finds, which is faster. */
export function indexWords(text: string, likely: LikelyWords | null = null): TextWords {
  const byPrefix = new Map<string, Set<string>>()
  for (const word of wordsOf(normalizeUnicode(text), likely)) {
    addWord(byPrefix, word, likely)
    if (multipartName.test(word)) for (const part of nameParts(word)) addWord(byPrefix, part, likely)
  }
  return { text, byPrefix }
}

function wordsOf(text: string, likely: LikelyWords | null): string[] {
  if (!likely) return splitWords(text)
  const words = likely.find(text).map(({ word }) => word)
  return isUnsegmented(text) ? words.flatMap((word) => splitWords(word)) : words
}

function addWord(byPrefix: Map<string, Set<string>>, written: string, likely: LikelyWords | null): void {
  const word = stripArabicArticle(foldText(written))
  if (likely && !likely.mayMatch(word)) return
  const prefix = prefixOf(word)
  const words = byPrefix.get(prefix)
  if (words) words.add(word)
  else byPrefix.set(prefix, new Set([word]))
}

/**
 * How much of each term a text contains, from 0 to 1: by its most similar word; for names, the mean over their parts; in
 * unsegmented scripts, the share of the bigrams. The mean over all terms replaces the cosine in languages the embedding
 * model does not know.
 */
export function termCoverage(terms: QueryTerm[], { text, byPrefix }: TextWords): number[] {
  const folded = terms.some(({ bigrams }) => bigrams.length > 0) ? foldText(text) : ''
  return terms.map(({ bigrams, parts, weight, isPrefix }) => {
    if (bigrams.length > 0)
      return (weight * bigrams.filter((bigram) => folded.includes(bigram)).length) / bigrams.length
    const best = (part: string) => bestSimilarity(byPrefix.get(prefixOf(part)) ?? noWords, part, isPrefix)
    return (weight * parts.reduce((sum, part) => sum + best(part), 0)) / Math.max(1, parts.length)
  })
}

function bestSimilarity(words: ReadonlySet<string>, part: string, isPrefix: boolean): number {
  if (words.has(part)) return 1
  let best = 0
  for (const word of words) best = Math.max(best, termSimilarity(part, word, isPrefix))
  return best
}

/**
 * The coverage of terms by a text that may contain them as parts of words, or parts of them: raises `covered`, their
 * coverage by whole words.
 */
export function coverageByParts(terms: QueryTerm[], covered: number[], text: string, isEnglish: boolean): number[] {
  if (covered.every((coverage) => coverage >= partialCoverage)) return covered
  const folded = foldText(text)
  let words: ReadonlySet<string> | null = null
  return covered.map((coverage, n) => {
    const { parts, weight } = terms[n] ?? { parts: [], weight: 0 }
    const [part = ''] = parts
    if (coverage >= partialCoverage || parts.length !== 1) return coverage
    const letters = tellingLetters(part)
    const hasLetters = (inText: string) => letters.some((group) => inText.includes(group))
    if (!hasLetters(folded)) return coverage
    words ??= new Set(splitWords(folded))
    let best = 0
    for (const word of words) if (hasLetters(word)) best = Math.max(best, partSimilarity(part, word, isEnglish))
    return Math.max(coverage, weight * best)
  })
}

/** Returns, by folded word, its spelling in lower case in the first of the texts that contains it. */
export function originalSpellings(words: string[], texts: string[]): Map<string, string> {
  const spellings = new Map<string, string>()
  if (words.length === 0) return spellings
  const requested = new Set(words)
  for (const word of texts.flatMap((text) => splitWords(normalizeUnicode(text)))) {
    const folded = foldText(word)
    if (requested.has(folded) && !spellings.has(folded)) spellings.set(folded, word.toLowerCase())
  }
  return spellings
}
