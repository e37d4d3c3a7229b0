import { languagesOfFunctionWord } from '../../language/function-word-languages'
import { isUnsegmented, normalizeUnicode, splitWords } from '../../language/normalize-text'
import { withoutQuestionPhrases } from '../../language/question-phrases'
import { isQuestionWord } from '../../language/stop-words'
import type { ParsedQuery } from '../../ports/parsed-query'
import { tokensPerFunctionWord } from './function-word-tokens'
import { identifiersIn } from './identifiers'
import { countTokens, type TokenCounter } from './token-counter'

const word = /[\p{L}\p{N}\p{M}_]+/gu
/** Letters without diacritics, and vowel signs. */
const letter = /[\p{L}\p{Mc}]/gu
const letterOrDigit = /[\p{L}\p{N}]/u
const nonEnglishLetter = /[^\p{ASCII}\p{M}\p{N}]/u
/** Identifiers from source code: camelCase, snake_case, calls, paths, and command-line flags. */
const identifier = /\p{Ll}\p{Lu}|[\p{L}\p{N}]_|_[\p{L}\p{N}]|\p{L}[./\\:]+\p{L}|\p{L}\(|^--?\p{L}/u
/** Contracted function words: "what's", "l'installation". */
const contraction =
  /(?<=\p{L})['’](?:s|t|d|ll|re|ve|m)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:l|d|n|j|m|c|s|t|qu|un|dell|all|nell|sull|dall)['’](?=\p{L})/giu
/** Tokens per word beyond which a query without stop words or telling letters is not English. */
const maxTokensPerEnglishWord = 2
/** Tokens per letter from which the model has hardly any words of a script. */
const minTokensPerLetter = 0.6
/** Nearly every word is in the model's vocabulary, so a stop word of another language is one by coincidence. */
const maxTokensPerPlainWord = 1.1
/** Stop words of a longer query are hardly ever what it is about. */
const maxShortQueryWords = 5
/** Quoted or in code: "all", `any`, not(). */
const quoted = /["“„«`]([^"“”„«»`]+)["”“»`]|([\p{L}\p{N}_]+)\(/gu
const capitals = /^\p{Lu}{2,}$/u

const english = 'en'

/**
 * Parses a query; any text is valid. `tokenizer` is that of the embedding model. `languages` are those of the collection,
 * as primary subtags, which decide where the query itself says little; empty if they are unknown.
 */
export function parseQuery(text: string, tokenizer: TokenCounter, languages: readonly string[]): ParsedQuery {
  const all = wordsOf(text)
  const isEnglish = looksEnglish(text, tokenizer, languages)
  const spoken = isEnglish ? [english] : likelyLanguages(all)
  const stopped = new Set([english, ...spoken])
  const isStopWord = (item: string) => languagesOfFunctionWord(item).some((language) => stopped.has(language))
  const content = all.filter((item) => !isStopWord(item))
  const named = namedStopWords(text, all, content, isEnglish)
  const kept = content.length > 0 ? all.filter((item) => !isStopWord(item) || named.has(item)) : all
  const asked = kept.flatMap((item) => (isUnsegmented(item) ? withoutQuestionPhrases(item) : item))
  const likely = spoken.length > 0 ? spoken : languages.filter((language) => language !== english)
  return {
    text,
    words: [...new Set(asked.length > 0 ? asked : kept)],
    identifiers: identifiersIn(text),
    isEnglish,
    tokensPerWord: tokensPerWord(text, tokenizer),
    isReadByLetters: isReadByLetters(text, tokenizer),
    tokensPerFunctionWord: tokensPerFunctionWord(likely, tokenizer),
  }
}

/** Tokens of the embedding model per word of a text, unknown words counted by their letters; 1 without words. */
export function tokensPerWord(text: string, tokenizer: TokenCounter): number {
  const words = wordsOf(text).length
  return words > 0 ? countTokens(text, tokenizer) / words : 1
}

function isReadByLetters(text: string, tokenizer: TokenCounter): boolean {
  const letters = text.normalize('NFD').match(letter) ?? []
  const foreign = letters.filter((item) => nonEnglishLetter.test(item))
  return 2 * foreign.length > letters.length && countTokens(text, tokenizer) >= minTokensPerLetter * letters.length
}

/**
 * The stop words that a short query is about: all, if the query mostly consists of them and is no question; otherwise
 * those in capitals, quotes or code, as in "NOT (operator)".
 */
function namedStopWords(text: string, all: string[], content: string[], isEnglish: boolean): ReadonlySet<string> {
  if (all.length > maxShortQueryWords) return new Set()
  // In many languages the question word follows what it asks about.
  const asking = isEnglish ? all.slice(0, 1) : all
  const isQuestion = text.includes('?') || asking.some(isQuestionWord)
  if (content.length * 2 < all.length && !isQuestion) return new Set(all)
  const isUpperCase = text === text.toUpperCase()
  const inCapitals = isUpperCase ? [] : (text.match(word) ?? []).filter((item) => capitals.test(item))
  const inQuotes = [...text.matchAll(quoted)].map(([, inside, name]) => inside ?? name ?? '')
  return new Set([...inCapitals, ...inQuotes].flatMap(wordsOf))
}

/**
 * Decides by stop words, then by letters, then by the languages of the collection, then by tokens per word. Identifiers,
 * such as the names of companies, belong to every language: they count as English in a query of nothing else, and in
 * collections without a known language, such as source code.
 */
function looksEnglish(query: string, tokenizer: TokenCounter, languages: readonly string[]): boolean {
  const parts = query.split(/\s+/)
  const words = wordsOf(parts.filter((part) => !identifier.test(part)).join(' '))
  const counts = countStopWords(words)
  const ours = counts.get(english) ?? 0
  const others = [...counts].filter(([language]) => language !== english)
  const theirs = Math.max(0, ...others.map(([, count]) => count))
  const isForeign = words.some((text) => nonEnglishLetter.test(text))
  if (ours !== theirs) {
    const isOfCollection = languages.length === 0 || others.some(([language]) => languages.includes(language))
    const isPlain = !isOfCollection || countTokens(words.join(' '), tokenizer) / words.length <= maxTokensPerPlainWord
    const isCoincidence = theirs === 1 && !isForeign && isPlain
    return ours > theirs || isCoincidence
  }
  if (isForeign) return false
  const isSourceCode = languages.length === 0 && words.length < wordsOf(query).length
  if (words.length === 0 || isSourceCode) return true
  const hasEnglish = languages.includes(english)
  if (languages.length > 0 && (!hasEnglish || languages.length === 1)) return hasEnglish
  return countTokens(words.join(' '), tokenizer) / words.length < maxTokensPerEnglishWord
}

/** The languages, except English, that share the highest number of stop words. */
function likelyLanguages(words: string[]): string[] {
  const counts = [...countStopWords(words)].filter(([language]) => language !== english)
  const max = Math.max(0, ...counts.map(([, count]) => count))
  return counts.flatMap(([language, count]) => (count === max ? language : []))
}

function countStopWords(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const language of words.flatMap(languagesOfFunctionWord)) counts.set(language, (counts.get(language) ?? 0) + 1)
  return counts
}

function wordsOf(text: string): string[] {
  const found = normalizeUnicode(text).replace(contraction, ' ').match(word) ?? []
  return found
    .flatMap((item) => (isUnsegmented(item) ? splitWords(item) : item))
    .map((item) => item.toLowerCase())
    .filter((item) => letterOrDigit.test(item))
}
