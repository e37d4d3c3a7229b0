import type { Vocabulary } from './vocabulary'

const lettersOnly = /^\p{L}+$/u
const minPrefixLength = 4
/** A prefix of more words, such as "inter-", does not tell which of them is meant. */
const maxWords = 200
const maxFragments = 10_000

/** Words that start with an incomplete folded word, the most frequent first; empty if there are too many. */
export function findCompletions(vocabulary: Vocabulary, word: string): string[] {
  if (word.length < minPrefixLength || !lettersOnly.test(word)) return []
  const terms = vocabulary.termsStartingWith(word, maxWords + 1)
  if (terms.length === 0 || terms.length > maxWords || vocabulary.sumFragments(terms) > maxFragments) return []
  const frequencies = vocabulary.countWords(terms.filter((term) => lettersOnly.test(term)))
  return [...frequencies].sort(([, number], [, otherNumber]) => otherNumber - number).map(([completion]) => completion)
}
