import type { Tokenizer } from './ports'
import { englishStopWords, otherStopWords } from './stop-words'

export interface ReadQuery {
  /** In lower case, without stop words, each once, in the order of the query. All words when there are stop words only. */
  words: string[]
  /** Whether the words are to be matched as English ones. */
  english: boolean
  /** Word pieces a word: 1 to 1.4 in plain English, 2 and more in a language that the embedding model does not know. */
  piecesPerWord: number
}

const word = /[\p{L}\p{N}\p{M}_]+/gu
const foreignLetter = /[^\p{ASCII}\p{M}\p{N}]/u
/** Names out of source code: humps, underscores, calls, and dots or slashes between letters. */
const identifier = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}[./\\:]+\p{L}|\p{L}\(|^--?\p{L}/u
/** Above this, words without a stop word or a letter that would tell their language are taken for inflected ones. */
const mostPiecesOfEnglish = 2

/** Reads queries for the word index and for the fusion. `tokenizer` is the embedding model's. */
export function createQueryReader(tokenizer: Tokenizer): (query: string) => ReadQuery {
  return (query) => {
    const all = wordsOf(query)
    const english = isEnglish(query, tokenizer)
    const stopWords = english ? [englishStopWords] : [otherStopWords, englishStopWords]
    const telling = all.filter((one) => !stopWords.some((words) => words.has(one)))
    const words = [...new Set(telling.length > 0 ? telling : all)]
    return { words, english, piecesPerWord: all.length > 0 ? tokenizer.count(query) / all.length : 1 }
  }
}

/** Stop words tell first, then letters; names out of source code go with English, and so do words that its model knows. */
function isEnglish(query: string, tokenizer: Tokenizer): boolean {
  const parts = query.split(/\s+/)
  const prose = parts.filter((part) => !identifier.test(part)).join(' ')
  const words = wordsOf(prose)
  const ours = words.filter((one) => englishStopWords.has(one)).length
  const theirs = words.filter((one) => otherStopWords.has(one)).length
  if (ours !== theirs) return ours > theirs
  if (words.some((one) => foreignLetter.test(one))) return false
  if (words.length < wordsOf(query).length || words.length === 0) return true
  return tokenizer.count(words.join(' ')) / words.length < mostPiecesOfEnglish
}

function wordsOf(text: string): string[] {
  const found = text.normalize('NFC').match(word) ?? []
  return found.map((one) => one.toLowerCase()).filter((one) => /[\p{L}\p{N}]/u.test(one))
}
