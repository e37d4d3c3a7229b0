import { smallWords } from '../language/function-words'
import { foldWords, isPaired, runsOf, unifyForms } from '../language/normalize-text'
import { questionWords, stopWords } from '../language/stop-words'
import type { Tokenizer } from '../ports'

export interface ReadQuery {
  /** In lower case, without stop words, each once, in the order of the query. All words when there are stop words only. */
  words: string[]
  /** Whether the words are to be matched as English ones. */
  english: boolean
  /** Word pieces a word: 1 to 1.4 in plain English, 2 and more in a language that the embedding model does not know. */
  piecesPerWord: number
}

const word = /[\p{L}\p{N}\p{M}_]+/gu
const letterOrDigit = /[\p{L}\p{N}]/u
const foreignLetter = /[^\p{ASCII}\p{M}\p{N}]/u
/** Names out of source code: humps, underscores, calls, and dots or slashes between letters. */
const identifier = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}[./\\:]+\p{L}|\p{L}\(|^--?\p{L}/u
/** What an apostrophe leaves of a small word: "what's", "l'installation". */
const clipped =
  /(?<=\p{L})['’](?:s|t|d|ll|re|ve|m)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:l|d|n|j|m|c|s|t|qu|un|dell|all|nell|sull|dall)['’](?=\p{L})/giu
/** Above this, words without a stop word or a letter that would tell their language are taken for inflected ones. */
const mostPiecesOfEnglish = 2
/** Words of which the model knows nearly each as a whole: one that is a stop word elsewhere may be a word of English. */
const piecesOfPlainEnglish = 1.1

const english = 'en'
const languagesOf = indexStopWords()

/** Reads queries for the word index and for the fusion. `tokenizer` is the embedding model's. */
export function createQueryReader(tokenizer: Tokenizer): (query: string) => ReadQuery {
  return (query) => {
    const all = wordsOf(query)
    const isEnglish = seemsEnglish(query, tokenizer)
    const languages = new Set([english, ...(isEnglish ? [] : likelyLanguages(all))])
    const telling = all.filter((one) => !languagesOf.get(one)?.some((language) => languages.has(language)))
    const words = [...new Set(telling.length > 0 ? telling : all)]
    return { words, english: isEnglish, piecesPerWord: all.length > 0 ? tokenizer.count(query) / all.length : 1 }
  }
}

/** Stop words tell first, then letters; names out of source code go with English, and so do words that its model knows. */
function seemsEnglish(query: string, tokenizer: Tokenizer): boolean {
  const parts = query.split(/\s+/)
  const words = wordsOf(parts.filter((part) => !identifier.test(part)).join(' '))
  const counts = countStopWords(words)
  const ours = counts.get(english) ?? 0
  const theirs = Math.max(0, ...[...counts].flatMap(([language, count]) => (language === english ? [] : count)))
  const isForeign = words.some((one) => foreignLetter.test(one))
  const pieces = () => tokenizer.count(words.join(' ')) / words.length
  if (ours !== theirs) {
    const isChance = theirs === 1 && !isForeign && pieces() <= piecesOfPlainEnglish
    return ours > theirs || isChance
  }
  if (isForeign) return false
  if (words.length < wordsOf(query).length || words.length === 0) return true
  return pieces() < mostPiecesOfEnglish
}

/** Those that have most of the stop words. */
function likelyLanguages(words: string[]): string[] {
  const counts = [...countStopWords(words)].filter(([language]) => language !== english)
  const most = Math.max(0, ...counts.map(([, count]) => count))
  return counts.flatMap(([language, count]) => (count === most ? language : []))
}

function countStopWords(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const language of words.flatMap((one) => languagesOf.get(one) ?? []))
    counts.set(language, (counts.get(language) ?? 0) + 1)
  return counts
}

function wordsOf(text: string): string[] {
  const found = unifyForms(text).replace(clipped, ' ').match(word) ?? []
  return found
    .flatMap((one) => (isPaired(one) ? runsOf(one) : one))
    .map((one) => one.toLowerCase())
    .filter((one) => letterOrDigit.test(one))
}

/** The languages of each stop word. People also write it without its marks, where that is no stop word elsewhere. */
function indexStopWords(): Map<string, string[]> {
  const index = new Map<string, Set<string>>()
  const more = [smallWords, questionWords].flatMap((lists) => Object.entries(lists))
  const lists = [...stopWords, ...more.map(([language, words]) => [language, words.trim().split(/\s+/)] as const)]
  const add = (one: string, language: string) => index.set(one, (index.get(one) ?? new Set()).add(language))
  for (const [language, words] of lists) for (const one of words) add(one, language)
  const asWritten = new Set(index.keys())
  for (const [language, words] of lists)
    for (const one of words.map(foldWords)) if (!asWritten.has(one)) add(one, language)
  return new Map([...index].map(([one, languages]) => [one, [...languages]]))
}
