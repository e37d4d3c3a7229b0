import { detectLanguage } from './detect-language'
import { functionWords } from './function-words'
import { questionWords, stopWords } from './stop-words'

const word = /[\p{L}\p{M}]+/gu
const cyrillic = /\p{Script=Cyrillic}/u

/**
 * The likely languages of a question, as primary subtags: several if they share its words, none if it tells nothing.
 * Questions are short, so one function word can decide; the detection for pages needs more.
 */
export function questionLanguages(question: string): string[] {
  const detected = detectLanguage([question])
  return detected ? [detected] : likelyLanguages(question)
}

/** A word counts less the more languages share it. */
function likelyLanguages(question: string): string[] {
  if (cyrillic.test(question)) return ['ru']
  const scores = new Map<string, number>()
  for (const text of question.toLowerCase().match(word) ?? []) {
    const languages = languagesOf(text)
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  const max = Math.max(0, ...scores.values())
  return max === 0 ? [] : [...scores].flatMap(([language, score]) => (score === max ? language : []))
}

function languagesOf(text: string): string[] {
  const inStopWords = [...stopWords].flatMap(([language, words]) => (words.includes(text) ? language : []))
  const inLists = Object.entries(functionWords).flatMap(([language, words]) => {
    return ` ${words} ${questionWords[language] ?? ''} `.includes(` ${text} `) ? language : []
  })
  return [...inStopWords, ...inLists]
}
