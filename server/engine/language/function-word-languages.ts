import { functionWords } from './function-words'
import { foldText } from './normalize-text'
import { questionWords, stopWords } from './stop-words'

const none: readonly string[] = []
const languagesByWord = indexWords()

/**
 * The languages, as primary subtags, in which a word in lower case is a function word or asks a question; empty for other
 * words.
 */
export function languagesOfFunctionWord(word: string): readonly string[] {
  return languagesByWord.get(word) ?? none
}

/** A spelling without diacritics counts, unless it is listed itself. */
function indexWords(): Map<string, string[]> {
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
