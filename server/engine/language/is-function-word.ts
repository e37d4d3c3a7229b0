import { functionWords } from './function-words'
import { questionWords, stopWords } from './stop-words'

const ofAllLanguages = new Set([
  ...[...stopWords.values()].flat(),
  ...[...Object.values(functionWords), ...Object.values(questionWords)].flatMap((words) => words.trim().split(/\s+/)),
])

/** Whether a word in lower case is a function word, or asks a question, in any of the languages with a list. */
export function isFunctionWord(word: string): boolean {
  return ofAllLanguages.has(word)
}
