import type { Vocabulary } from './vocabulary'

/** Words of the collection that end with a query word. */
export interface Compounds {
  /** The endings they share: the query word and its inflections. */
  endings: string[]
  /** Folded, the most frequent first. */
  words: string[]
}

const compoundable = /^[a-z]{4,24}$/
const lettersOnly = /^\p{L}+$/u
/** Minimum length of a compound without its ending. */
const minFirstPart = 3
/** A string that ends or starts more words than this is an affix, such as "-schaft", rather than a word. */
const maxWords = 200
const maxFragments = 10_000
const minPrefixLength = 4

/** The compounds that end with a folded word or with one of its inflections; null without any. */
export function findCompounds(vocabulary: Vocabulary, word: string, inflections: string[]): Compounds | null {
  if (!compoundable.test(word)) return null
  const endings: string[] = []
  const frequencies = new Map<string, number>()
  for (const ending of [word, ...inflections]) {
    const found = vocabulary.wordsEndingWith(ending, maxWords + 1)
    const compounds = found.filter(({ term }) => term.length >= ending.length + minFirstPart)
    const fragments = compounds.reduce((sum, one) => sum + one.fragments, 0)
    if (compounds.length === 0 || found.length > maxWords || fragments > maxFragments) continue
    // Shorter inflections also end words of other kinds.
    if (ending.length < word.length && endings.length > 0) break
    endings.push(ending)
    for (const one of compounds) frequencies.set(one.term, one.fragments)
  }
  return endings.length === 0 ? null : { endings, words: byFrequency(frequencies) }
}

/** Words that start with an incomplete folded word, the most frequent first; empty if there are too many. */
export function findCompletions(vocabulary: Vocabulary, word: string): string[] {
  if (word.length < minPrefixLength || !lettersOnly.test(word)) return []
  const terms = vocabulary.termsStartingWith(word, maxWords + 1)
  const fragments = terms.reduce((sum, one) => sum + one.fragments, 0)
  if (terms.length > maxWords || fragments > maxFragments) return []
  return byFrequency(vocabulary.countWords(terms.flatMap(({ term }) => (lettersOnly.test(term) ? term : []))))
}

function byFrequency(frequencies: Map<string, number>): string[] {
  return [...frequencies].sort(([, one], [, other]) => other - one).map(([word]) => word)
}
