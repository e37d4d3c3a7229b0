import { functionWords } from '../../language/function-words'
import { foldText, isUnsegmented, normalizeUnicode, splitWords } from '../../language/normalize-text'
import { questionWords, stopWords } from '../../language/stop-words'
import type { Tokenizer } from '../../ports'
import type { ParsedQuery } from './parsed-query'

const word = /[\p{L}\p{N}\p{M}_]+/gu
const letterOrDigit = /[\p{L}\p{N}]/u
const nonEnglishLetter = /[^\p{ASCII}\p{M}\p{N}]/u
/** Identifiers from source code: camelCase, snake_case, calls, paths, and command-line flags. */
const identifier = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}[./\\:]+\p{L}|\p{L}\(|^--?\p{L}/u
/** Contracted function words: "what's", "l'installation". */
const contraction =
  /(?<=\p{L})['’](?:s|t|d|ll|re|ve|m)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:l|d|n|j|m|c|s|t|qu|un|dell|all|nell|sull|dall)['’](?=\p{L})/giu
/** Without stop words or telling letters, a query with more tokens per word than this is not English. */
const maxTokensPerEnglishWord = 2
/** Nearly every word is in the model's vocabulary, so a stop word of another language is one by coincidence. */
const maxTokensPerPlainWord = 1.1

const english = 'en'
const languagesByStopWord = indexStopWords()

/** Parses a query; any text is valid. `tokenizer` is that of the embedding model. */
export function parseQuery(text: string, tokenizer: Tokenizer): ParsedQuery {
  const all = wordsOf(text)
  const isEnglish = looksEnglish(text, tokenizer)
  const languages = new Set([english, ...(isEnglish ? [] : likelyLanguages(all))])
  const content = all.filter((one) => !languagesByStopWord.get(one)?.some((language) => languages.has(language)))
  const words = [...new Set(content.length > 0 ? content : all)]
  return { text, words, isEnglish, tokensPerWord: all.length > 0 ? tokenizer.count(text) / all.length : 1 }
}

/** Decides by stop words, then by letters, then by tokens per word. Identifiers count as English. */
function looksEnglish(query: string, tokenizer: Tokenizer): boolean {
  const parts = query.split(/\s+/)
  const words = wordsOf(parts.filter((part) => !identifier.test(part)).join(' '))
  const counts = countStopWords(words)
  const ours = counts.get(english) ?? 0
  const theirs = Math.max(0, ...[...counts].flatMap(([language, count]) => (language === english ? [] : count)))
  const isForeign = words.some((one) => nonEnglishLetter.test(one))
  const tokensPerWord = () => tokenizer.count(words.join(' ')) / words.length
  if (ours !== theirs) {
    const isCoincidence = theirs === 1 && !isForeign && tokensPerWord() <= maxTokensPerPlainWord
    return ours > theirs || isCoincidence
  }
  if (isForeign) return false
  if (words.length < wordsOf(query).length || words.length === 0) return true
  return tokensPerWord() < maxTokensPerEnglishWord
}

/** The languages, except English, that share the highest number of stop words. */
function likelyLanguages(words: string[]): string[] {
  const counts = [...countStopWords(words)].filter(([language]) => language !== english)
  const max = Math.max(0, ...counts.map(([, count]) => count))
  return counts.flatMap(([language, count]) => (count === max ? language : []))
}

function countStopWords(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const language of words.flatMap((one) => languagesByStopWord.get(one) ?? []))
    counts.set(language, (counts.get(language) ?? 0) + 1)
  return counts
}

function wordsOf(text: string): string[] {
  const found = normalizeUnicode(text).replace(contraction, ' ').match(word) ?? []
  return found
    .flatMap((one) => (isUnsegmented(one) ? splitWords(one) : one))
    .map((one) => one.toLowerCase())
    .filter((one) => letterOrDigit.test(one))
}

/** The languages of each stop word. A spelling without diacritics counts, unless it is a stop word of its own. */
function indexStopWords(): Map<string, string[]> {
  const index = new Map<string, Set<string>>()
  const more = [functionWords, questionWords].flatMap((lists) => Object.entries(lists))
  const lists = [...stopWords, ...more.map(([language, words]) => [language, words.trim().split(/\s+/)] as const)]
  const add = (one: string, language: string) => index.set(one, (index.get(one) ?? new Set()).add(language))
  for (const [language, words] of lists) for (const one of words) add(one, language)
  const listed = new Set(index.keys())
  for (const [language, words] of lists) for (const one of words.map(foldText)) if (!listed.has(one)) add(one, language)
  return new Map([...index].map(([one, languages]) => [one, [...languages]]))
}
