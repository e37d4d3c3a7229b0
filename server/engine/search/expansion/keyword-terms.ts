import { bigrams, foldText, isUnsegmented } from '../../language/normalize-text'

/** What keyword search matches. All text is folded. */
export type KeywordTerm =
  /** In English by the word and its stem, in other languages by its prefix or its inflections. */
  | { kind: 'word'; word: string }
  /** Two neighboring characters of an unsegmented script, or a single character, which matches as a prefix. */
  | { kind: 'bigram'; characters: string }
  /** Words that follow one another, or are written as one. */
  | { kind: 'identifier'; words: string[] }
  /** Longer words that start with a word. */
  | { kind: 'prefix'; word: string }

/** The terms of query words. Words with underscores are split; words of unsegmented scripts become bigrams. */
export function termsOf(words: string[]): KeywordTerm[] {
  return words.flatMap((word): KeywordTerm[] => {
    const folded = foldText(word)
    if (isUnsegmented(word)) return bigrams(folded).map((characters) => ({ kind: 'bigram', characters }))
    const parts = folded.split('_').filter((part) => part !== '')
    return parts.map((part) => ({ kind: 'word', word: part }))
  })
}
