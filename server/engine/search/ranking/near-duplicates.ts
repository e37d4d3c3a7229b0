import { bigrams, foldText, isUnsegmented, splitWords } from '../../language/normalize-text'
import { indexWords, queryTerms, termCoverage } from './term-coverage'

export interface ComparablePassage {
  addressId: string
  title: string
  headings: string
  text: string
}

/** Words per shingle (A. Broder, 1997). */
const shingleSize = 3
/** Shorter passages depend on their context: "Free of charge." under two headings is two answers. */
const minWords = 24
/** Minimum Jaccard similarity; higher for different titles, as with two articles of a shop. */
const minSimilarity = { sameTitle: 0.8, otherTitle: 0.9 }

interface Prepared<Passage> {
  passage: Passage
  context: string
  title: string
  words: string[]
  joined: string
  shingles: Set<string>
}

/**
 * Detects passages with the same text as an earlier one, or nearly the same. Passages that differ in a number or in a
 * word of the query are never duplicates: the difference may be the answer.
 */
export function createDuplicateDetector<Passage extends ComparablePassage>(queryWords: string[]) {
  const earlier: Prepared<Passage>[] = []
  const terms = queryTerms(queryWords)

  return {
    /** Returns the earlier passage that this one duplicates. Otherwise remembers the passage and returns null. */
    check(passage: Passage): Passage | null {
      const prepared = prepare(passage)
      const original = earlier.find((other) => isDuplicate(prepared, other))
      if (original) return original.passage
      earlier.push(prepared)
      return null
    },
  }

  function isDuplicate(one: Prepared<Passage>, other: Prepared<Passage>): boolean {
    const isLong = one.words.length >= minWords
    if (one.joined === other.joined) return isLong || one.context === other.context
    if (!isLong || other.words.length < minWords || one.passage.addressId === other.passage.addressId) return false
    const min = one.title === other.title ? minSimilarity.sameTitle : minSimilarity.otherTitle
    return jaccard(one.shingles, other.shingles) >= min && addsNothing(one, other)
  }

  function addsNothing(one: Prepared<Passage>, other: Prepared<Passage>): boolean {
    const known = new Set([...other.words, ...other.context.split(' ')])
    const added = [...one.words, ...one.context.split(' ')].filter((word) => !known.has(word))
    if (added.some((word) => /\p{N}/u.test(word))) return false
    return !termCoverage(terms, indexWords(added.join(' '))).some((coverage) => coverage > 0)
  }
}

function prepare<Passage extends ComparablePassage>(passage: Passage): Prepared<Passage> {
  const title = wordsOf(passage.title).join(' ')
  const words = wordsOf(passage.text)
  const shingles = new Set(
    words.slice(shingleSize - 1).map((_, start) => words.slice(start, start + shingleSize).join(' ')),
  )
  const context = [title, ...wordsOf(passage.headings)].join(' ')
  return { passage, context, title, words, joined: words.join(' '), shingles }
}

function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const shingle of one) if (other.has(shingle)) shared++
  return shared / (one.size + other.size - shared)
}

/** Folded words; bigrams in unsegmented scripts. */
function wordsOf(text: string): string[] {
  return splitWords(foldText(text)).flatMap((word) => (isUnsegmented(word) ? bigrams(word) : word))
}
