import { bigrams, foldText, isUnsegmented, splitWords } from '../../language/normalize-text'
import { queryTerms, TermMatcher } from './term-coverage'

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
  shingles: ReadonlySet<number>
}

const number = /\p{N}/u
/** More than the distinct words of all passages that are compared; three of them make a safe integer. */
const maxWordIds = 2 ** 17

/**
 * Detects passages with the same text as an earlier one, or nearly the same. Passages that differ in a number or in a
 * word of the query are never duplicates: the difference may be the answer.
 */
export function createDuplicateDetector<Passage extends ComparablePassage>(queryWords: string[]) {
  const earlier: Prepared<Passage>[] = []
  const terms = new TermMatcher(queryTerms(queryWords))
  const preparation = new Preparation<Passage>()

  return {
    /** Returns the earlier passage that this one duplicates. Otherwise remembers the passage and returns null. */
    check(passage: Passage): Passage | null {
      const prepared = preparation.prepare(passage)
      const original = earlier.find((item) => isDuplicate(prepared, item))
      if (original) return original.passage
      earlier.push(prepared)
      return null
    },
  }

  function isDuplicate(first: Prepared<Passage>, second: Prepared<Passage>): boolean {
    const isLong = first.words.length >= minWords
    if (first.joined === second.joined) return isLong || first.context === second.context
    if (!isLong || second.words.length < minWords || first.passage.addressId === second.passage.addressId) return false
    const min = first.title === second.title ? minSimilarity.sameTitle : minSimilarity.otherTitle
    return areSimilar(first.shingles, second.shingles, min) && addsNothing(first, second)
  }

  function addsNothing(first: Prepared<Passage>, second: Prepared<Passage>): boolean {
    const known = new Set([...second.words, ...second.context.split(' ')])
    const added = [...first.words, ...first.context.split(' ')].filter((word) => !known.has(word))
    if (added.some((word) => number.test(word))) return false
    return !terms.coverageOf(added.join(' ')).some((coverage) => coverage > 0)
  }
}

/** Numbers the words, since sets of numbers are faster to make and to compare than sets of texts. */
class Preparation<Passage extends ComparablePassage> {
  private readonly ids = new Map<string, number>()

  prepare(passage: Passage): Prepared<Passage> {
    const title = wordsOf(passage.title).join(' ')
    const words = wordsOf(passage.text)
    const context = [title, ...wordsOf(passage.headings)].join(' ')
    return { passage, context, title, words, joined: words.join(' '), shingles: shinglesOf(this.idsOf(words)) }
  }

  private idsOf(words: string[]): number[] {
    const ids: number[] = []
    for (const word of words) {
      let id = this.ids.get(word)
      if (id === undefined) {
        id = this.ids.size
        this.ids.set(word, id)
      }
      ids.push(id)
    }
    return ids
  }
}

function shinglesOf(words: number[]): ReadonlySet<number> {
  const shingles = new Set<number>()
  for (let end = shingleSize; end <= words.length; end++) {
    let shingle = 0
    for (let n = end - shingleSize; n < end; n++) shingle = shingle * maxWordIds + (words[n] ?? 0)
    shingles.add(shingle)
  }
  return shingles
}

/** Whether the Jaccard similarity of two sets is at least `min`. Ends as soon as too few of the first can be shared. */
function areSimilar(first: ReadonlySet<number>, second: ReadonlySet<number>, min: number): boolean {
  const minShared = (min * (first.size + second.size)) / (1 + min)
  let missing = 0
  for (const shingle of first) if (!second.has(shingle) && first.size - ++missing < minShared) return false
  return true
}

/** Folded words; bigrams in unsegmented scripts. */
function wordsOf(text: string): string[] {
  const folded = foldText(text)
  const words = splitWords(folded)
  return isUnsegmented(folded) ? words.flatMap((word) => (isUnsegmented(word) ? bigrams(word) : word)) : words
}
