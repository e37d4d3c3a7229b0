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
import { createLikelyWords, prefixOf, wordsWith } from './likely-words'
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

/** Compares texts with the terms of a query, and remembers the words that it has compared. */
export interface TermMatcher {
  /**
   * How much of each term a text contains, from 0 to 1: by its most similar word; for names, the mean over their parts; in
   * unsegmented scripts, the share of the bigrams. The mean over all terms replaces the cosine in languages the embedding
   * model does not know.
   */
  coverageOf(text: string): number[]
  /**
   * The same by a text that may contain the terms as parts of words, or parts of them. `covered` is their coverage by
   * whole words, `folded` the text. Terms must be the same in each call.
   */
  coverageByParts(covered: number[], folded: string, isEnglish: boolean): number[]
}

/** Parts of words add nothing to a term that is covered as well. */
const partialCoverage = 0.8
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

export function createTermMatcher(terms: QueryTerm[]): TermMatcher {
  const parts = terms.flatMap((term) => term.parts.map((text) => ({ text, prefix: prefixOf(text), term })))
  const likely = createLikelyWords(parts.map(({ text }) => text))
  const isAnyUnsegmented = terms.some(({ bigrams }) => bigrams.length > 0)
  const similarities = new Map<string, PartSimilarity[]>()
  const partialTerms = terms.map(createPartialTerm)

  return {
    coverageOf(text) {
      const best = bestSimilarities(normalizeUnicode(text))
      const folded = isAnyUnsegmented ? foldText(text) : ''
      let part = 0
      return terms.map(({ bigrams, parts: { length }, weight }) => {
        if (bigrams.length > 0)
          return (weight * bigrams.filter((bigram) => folded.includes(bigram)).length) / bigrams.length
        let sum = 0
        for (const end = part + length; part < end; part++) sum += best[part] ?? 0
        return (weight * sum) / Math.max(1, length)
      })
    },

    coverageByParts: (covered, folded, isEnglish) =>
      covered.map((coverage, n) =>
        coverage >= partialCoverage ? coverage : Math.max(coverage, partialTerms[n]?.(folded, isEnglish) ?? 0),
      ),
  }

  /** The similarity of each part of the terms with the word of a text that is most similar to it. */
  function bestSimilarities(text: string): number[] {
    const best = parts.map(() => 0)
    const isMixed = isUnsegmented(text)
    for (const { word } of likely.find(text))
      for (const single of isMixed ? splitWords(word) : [word])
        for (const { part, similarity } of similaritiesOf(single)) best[part] = Math.max(best[part] ?? 0, similarity)
    return best
  }

  function similaritiesOf(word: string): PartSimilarity[] {
    const known = similarities.get(word)
    if (known) return known
    const names = multipartName.test(word) ? nameParts(word) : []
    const found = [word, ...names].flatMap((written) => compare(stripArabicArticle(foldText(written))))
    similarities.set(word, found)
    return found
  }

  function compare(folded: string): PartSimilarity[] {
    const prefix = prefixOf(folded)
    return parts.flatMap((part, index) => {
      const similarity = part.prefix === prefix ? termSimilarity(part.text, folded, part.term.isPrefix) : 0
      return similarity > 0 ? { part: index, similarity } : []
    })
  }
}

interface PartSimilarity {
  /** Index of the part, counted over all terms. */
  part: number
  similarity: number
}

/** Returns how much of a term folded texts contain as parts of words, or parts of it. Names have several parts already. */
function createPartialTerm({ parts, weight }: QueryTerm): ((folded: string, isEnglish: boolean) => number) | null {
  const [part = ''] = parts
  const letters = parts.length === 1 ? tellingLetters(part) : []
  if (letters.length === 0) return null
  const similarities = new Map<string, number>()
  return (folded, isEnglish) => {
    let best = 0
    for (const word of wordsWith(letters, folded)) {
      const similarity = similarities.get(word) ?? partSimilarity(part, word, isEnglish)
      similarities.set(word, similarity)
      best = Math.max(best, similarity)
    }
    return weight * best
  }
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
