import { functionWords } from '../../language/function-words'
import { foldText, isUnsegmented, normalizeUnicode, splitWords } from '../../language/normalize-text'
import { questionWords, stopWords } from '../../language/stop-words'
import type { ParsedQuery } from '../../ports/parsed-query'
import type { Tokenizer } from '../../ports/search-index'
import { tokensPerFunctionWord } from './function-word-tokens'
import { identifiersIn } from './identifiers'

const word = /[\p{L}\p{N}\p{M}_]+/gu
const letterOrDigit = /[\p{L}\p{N}]/u
const nonEnglishLetter = /[^\p{ASCII}\p{M}\p{N}]/u
/** Identifiers from source code: camelCase, snake_case, calls, paths, and command-line flags. */
const identifier = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}[./\\:]+\p{L}|\p{L}\(|^--?\p{L}/u
/** Contracted function words: "what's", "l'installation". */
const contraction =
  /(?<=\p{L})['’](?:s|t|d|ll|re|ve|m)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:l|d|n|j|m|c|s|t|qu|un|dell|all|nell|sull|dall)['’](?=\p{L})/giu
/** Tokens per word beyond which a query without stop words or telling letters is not English. */
const maxTokensPerEnglishWord = 2
/** Nearly every word is in the model's vocabulary, so a stop word of another language is one by coincidence. */
const maxTokensPerPlainWord = 1.1
/** Stop words of a longer query are hardly ever what it is about. */
const maxShortQueryWords = 5
/** Quoted or in code: "all", `any`, not(). */
const quoted = /["“„«`]([^"“”„«»`]+)["”“»`]|([\p{L}\p{N}_]+)\(/gu
const capitals = /^\p{Lu}{2,}$/u

const english = 'en'
const languagesByStopWord = indexStopWords()
const allQuestionWords = new Set(
  Object.values(questionWords).flatMap((words) => words.split(/\s+/).map((text) => text.toLowerCase())),
)

/**
 * Parses a query; any text is valid. `tokenizer` is that of the embedding model. `languages` are those of the collection,
 * as primary subtags, which decide where the query itself says little; empty if they are unknown.
 */
export function parseQuery(text: string, tokenizer: Tokenizer, languages: readonly string[]): ParsedQuery {
  const all = wordsOf(text)
  const isEnglish = looksEnglish(text, tokenizer, languages)
  const spoken = isEnglish ? [english] : likelyLanguages(all)
  const stopped = new Set([english, ...spoken])
  const isStopWord = (item: string) => languagesByStopWord.get(item)?.some((language) => stopped.has(language)) ?? false
  const content = all.filter((item) => !isStopWord(item))
  const named = namedStopWords(text, all, content)
  const kept = content.length > 0 ? all.filter((item) => !isStopWord(item) || named.has(item)) : all
  const likely = spoken.length > 0 ? spoken : languages.filter((language) => language !== english)
  return {
    text,
    words: [...new Set(kept)],
    identifiers: identifiersIn(text),
    isEnglish,
    tokensPerWord: tokensPerWord(text, tokenizer),
    tokensPerFunctionWord: tokensPerFunctionWord(likely, tokenizer),
  }
}

/** Tokens of the embedding model per word of a text; 1 without words. */
export function tokensPerWord(text: string, tokenizer: Tokenizer): number {
  const words = wordsOf(text).length
  return words > 0 ? tokenizer.count(text) / words : 1
}

/**
 * The stop words that a short query is about: all, if the query mostly consists of them and is no question; otherwise
 * those in capitals, quotes or code, as in "NOT (operator)".
 */
function namedStopWords(text: string, all: string[], content: string[]): ReadonlySet<string> {
  if (all.length > maxShortQueryWords) return new Set()
  const isQuestion = text.includes('?') || allQuestionWords.has(all[0] ?? '')
  if (content.length * 2 < all.length && !isQuestion) return new Set(all)
  const isUpperCase = text === text.toUpperCase()
  const inCapitals = isUpperCase ? [] : (text.match(word) ?? []).filter((item) => capitals.test(item))
  const inQuotes = [...text.matchAll(quoted)].map(([, inside, name]) => inside ?? name ?? '')
  return new Set([...inCapitals, ...inQuotes].flatMap(wordsOf))
}

/**
 * Decides by stop words, then by letters, then by the languages of the collection, then by tokens per word. Identifiers
 * count as English.
 */
function looksEnglish(query: string, tokenizer: Tokenizer, languages: readonly string[]): boolean {
  const parts = query.split(/\s+/)
  const words = wordsOf(parts.filter((part) => !identifier.test(part)).join(' '))
  const counts = countStopWords(words)
  const ours = counts.get(english) ?? 0
  const others = [...counts].filter(([language]) => language !== english)
  const theirs = Math.max(0, ...others.map(([, count]) => count))
  const isForeign = words.some((text) => nonEnglishLetter.test(text))
  if (ours !== theirs) {
    const isOfCollection = languages.length === 0 || others.some(([language]) => languages.includes(language))
    const isPlain = !isOfCollection || tokenizer.count(words.join(' ')) / words.length <= maxTokensPerPlainWord
    const isCoincidence = theirs === 1 && !isForeign && isPlain
    return ours > theirs || isCoincidence
  }
  if (isForeign) return false
  if (words.length < wordsOf(query).length || words.length === 0) return true
  const hasEnglish = languages.includes(english)
  if (languages.length > 0 && (!hasEnglish || languages.length === 1)) return hasEnglish
  return tokenizer.count(words.join(' ')) / words.length < maxTokensPerEnglishWord
}

/** The languages, except English, that share the highest number of stop words. */
function likelyLanguages(words: string[]): string[] {
  const counts = [...countStopWords(words)].filter(([language]) => language !== english)
  const max = Math.max(0, ...counts.map(([, count]) => count))
  return counts.flatMap(([language, count]) => (count === max ? language : []))
}

function countStopWords(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const language of words.flatMap((text) => languagesByStopWord.get(text) ?? []))
    counts.set(language, (counts.get(language) ?? 0) + 1)
  return counts
}

function wordsOf(text: string): string[] {
  const found = normalizeUnicode(text).replace(contraction, ' ').match(word) ?? []
  return found
    .flatMap((item) => (isUnsegmented(item) ? splitWords(item) : item))
    .map((item) => item.toLowerCase())
    .filter((item) => letterOrDigit.test(item))
}

/** The languages of each stop word. A spelling without diacritics counts, unless it is a stop word of its own. */
function indexStopWords(): Map<string, string[]> {
  const index = new Map<string, Set<string>>()
  const more = [functionWords, questionWords].flatMap((lists) => Object.entries(lists))
  const lists = [...stopWords, ...more.map(([language, words]) => [language, words.trim().split(/\s+/)] as const)]
  const add = (first: string, language: string) => index.set(first, (index.get(first) ?? new Set()).add(language))
  for (const [language, words] of lists) for (const text of words) add(text, language)
  const listed = new Set(index.keys())
  for (const [language, words] of lists)
    for (const text of words.map(foldText)) if (!listed.has(text)) add(text, language)
  return new Map([...index].map(([text, languages]) => [text, [...languages]]))
}
