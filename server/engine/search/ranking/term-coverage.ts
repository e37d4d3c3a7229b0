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
import { LikelyWords, prefixOf, wordsWith } from './likely-words'
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

interface TermPart {
  text: string
  prefix: string
  isPrefix: boolean
}

interface PartSimilarity {
  /** Index of the part, counted over all terms. */
  part: number
  similarity: number
}

/**
 * Compares texts with the terms of a query, and remembers the words that it has compared. A class with loops, because V8
 * discards the compiled code of closures that exist only during a search.
 */
export class TermMatcher {
  private readonly parts: TermPart[] = []
  private readonly likely: LikelyWords
  private readonly isAnyUnsegmented: boolean
  private readonly similarities = new Map<string, PartSimilarity[]>()
  private readonly partialTerms: (PartialTerm | null)[]

  constructor(private readonly terms: QueryTerm[]) {
    for (const { parts, isPrefix } of terms)
      for (const text of parts) this.parts.push({ text, prefix: prefixOf(text), isPrefix })
    this.likely = new LikelyWords(this.parts.map(({ text }) => text))
    this.isAnyUnsegmented = terms.some(({ bigrams }) => bigrams.length > 0)
    this.partialTerms = terms.map(partialTermOf)
  }

  /**
   * How much of each term a text contains, from 0 to 1: by its most similar word; for names, the mean over their parts; in
   * unsegmented scripts, the share of the bigrams. The mean over all terms replaces the cosine in languages the embedding
   * model does not know.
   */
  coverageOf(text: string): number[] {
    const best = this.bestSimilarities(normalizeUnicode(text))
    const folded = this.isAnyUnsegmented ? foldText(text) : ''
    const coverage: number[] = []
    let part = 0
    for (const { bigrams, parts, weight } of this.terms) {
      let sum = 0
      for (const bigram of bigrams) sum += Number(folded.includes(bigram))
      for (const end = part + parts.length; part < end; part++) sum += best[part] ?? 0
      coverage.push((weight * sum) / Math.max(1, bigrams.length + parts.length))
    }
    return coverage
  }

  /**
   * The same by a text that may contain the terms as parts of words, or parts of them. `covered` is their coverage by
   * whole words, `folded` the text.
   */
  coverageByParts(covered: number[], folded: string, isEnglish: boolean): number[] {
    const coverage = covered.slice()
    for (let n = 0; n < coverage.length; n++) {
      const term = this.partialTerms[n]
      const byWords = coverage[n] ?? 0
      if (term && byWords < partialCoverage) coverage[n] = Math.max(byWords, term.coverageOf(folded, isEnglish))
    }
    return coverage
  }

  /** The similarity of each part of the terms with the word of a text that is most similar to it. */
  private bestSimilarities(text: string): number[] {
    const best = new Array<number>(this.parts.length).fill(0)
    const isMixed = isUnsegmented(text)
    for (const { word } of this.likely.find(text))
      if (isMixed) for (const single of splitWords(word)) this.raise(best, single)
      else this.raise(best, word)
    return best
  }

  private raise(best: number[], word: string): void {
    let similarities = this.similarities.get(word)
    if (!similarities) {
      similarities = this.compare(word)
      this.similarities.set(word, similarities)
    }
    for (const { part, similarity } of similarities) best[part] = Math.max(best[part] ?? 0, similarity)
  }

  private compare(word: string): PartSimilarity[] {
    const found: PartSimilarity[] = []
    this.addSimilarities(found, word)
    if (multipartName.test(word)) for (const name of nameParts(word)) this.addSimilarities(found, name)
    return found
  }

  private addSimilarities(found: PartSimilarity[], word: string): void {
    const folded = stripArabicArticle(foldText(word))
    const prefix = prefixOf(folded)
    for (let n = 0; n < this.parts.length; n++) {
      const part = this.parts[n]
      if (part?.prefix !== prefix) continue
      const similarity = termSimilarity(part.text, folded, part.isPrefix)
      if (similarity > 0) found.push({ part: n, similarity })
    }
  }
}

/** Compares folded texts with parts of a term, and with what it is a part of. */
class PartialTerm {
  private readonly similarities = new Map<string, number>()

  constructor(
    private readonly part: string,
    private readonly letters: string[],
    private readonly weight: number,
  ) {}

  coverageOf(folded: string, isEnglish: boolean): number {
    let best = 0
    for (const word of wordsWith(this.letters, folded)) {
      const similarity = this.similarities.get(word) ?? partSimilarity(this.part, word, isEnglish)
      this.similarities.set(word, similarity)
      best = Math.max(best, similarity)
    }
    return this.weight * best
  }
}

/** Null for a name, which has several parts already, and for a short word. */
function partialTermOf({ parts, weight }: QueryTerm): PartialTerm | null {
  const [part = ''] = parts
  const letters = parts.length === 1 ? tellingLetters(part) : []
  return letters.length === 0 ? null : new PartialTerm(part, letters, weight)
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
