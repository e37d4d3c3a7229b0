import { stemmer } from 'stemmer'
import { startAlike, withoutPrefix } from '../expansion/word-parts'

/** Longest inflectional ending, in letters; shorter for short words. */
const maxEnding = 3
const maxShortEnding = 2
/** Minimum share of the longer word that two forms of a word have in common. */
const minSharedPrefix = 0.7
const minStemLength = 4
/** Letters that identify a word even if they are only its prefix. */
const minDistinctivePrefix = 5
/** For a word that shares its first letters with the query term, and is no form of it. */
const sharedPrefixSimilarity = 0.4
/** Letters that articles, conjunctions and prefixes add to the start of a word, as in "telephone" and in Arabic. */
const maxJoinedLetters = 4
/** For a word that differs by such letters. */
const joinedSimilarity = 0.8

/**
 * How similar a word of a text is to a query term, from 0 to 1: 1 for two forms of the same word, by their endings or
 * their English stems; .4 if they only share their first letters. Both are folded and have no Arabic article. A term of
 * four letters matches longer words that start with it only if `isPrefix` is set.
 */
export function termSimilarity(term: string, word: string, isPrefix: boolean): number {
  if (term === word) return 1
  const shared = sharedPrefixLength(term, word)
  const [shorter, longer] = [Math.min(term.length, word.length), Math.max(term.length, word.length)]
  if (areInflections(shared, shorter, longer)) return 1
  if ((shared >= minDistinctivePrefix || longer <= minDistinctivePrefix) && stemmer(term) === stemmer(word)) return 1
  const minShared = isPrefix && shared === term.length ? minStemLength : minDistinctivePrefix
  return shared >= minShared ? sharedPrefixSimilarity : 0
}

function areInflections(shared: number, shorter: number, longer: number): boolean {
  if (shared === shorter && shorter >= minStemLength)
    return longer - shorter <= (shorter < minDistinctivePrefix ? maxShortEnding : maxEnding)
  return shared >= minDistinctivePrefix && longer - shared <= maxEnding && shared >= minSharedPrefix * longer
}

function sharedPrefixLength(first: string, second: string): number {
  let length = 0
  while (length < first.length && first[length] === second[length]) length++
  return length
}

/** Letters of which a word has some if `partSimilarity` with the term is not 0, which is quick to see. */
export function tellingLetters(term: string): string[] {
  if (term.length < minStemLength) return []
  const stem = withoutPrefix(term) ?? term
  return [term.slice(0, minStemLength), term.slice(-minStemLength), stem.slice(0, minStemLength)]
}

/**
 * How similar a word of a text is to a query term by their parts, from 0 to 1: one ends with the other, or, in languages
 * other than English, they start alike, with a prefix or without.
 */
export function partSimilarity(term: string, word: string, isEnglish: boolean): number {
  const [shorter, longer] = term.length < word.length ? [term, word] : [word, term]
  if (shorter.length < (isEnglish ? minDistinctivePrefix : minStemLength)) return 0
  if (longer.endsWith(shorter))
    return longer.length - shorter.length <= maxJoinedLetters ? joinedSimilarity : sharedPrefixSimilarity
  if (isEnglish) return 0
  const stems = [word, withoutPrefix(word)].filter((stem) => stem !== null)
  const termStems = [term, withoutPrefix(term)].filter((stem) => stem !== null)
  const areRelated = termStems.some((termStem) => stems.some((stem) => startAlike(termStem, stem)))
  return areRelated ? sharedPrefixSimilarity : 0
}
