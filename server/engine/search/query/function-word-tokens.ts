import { functionWords } from '../../language/function-words'
import { stopWords } from '../../language/stop-words'
import { countTokens, type TokenCounter } from './token-counter'

/** Shorter words are in the vocabulary of nearly every model. */
const minLength = 4

const cache = new WeakMap<TokenCounter, Map<string, number | null>>()

/**
 * Tokens of the embedding model per function word of these languages: 1 in a language that the model was trained with, 2
 * in one whose words it puts together, 3 and more in a script that it reads letter by letter. Null if the words of none
 * of them are known.
 */
export function tokensPerFunctionWord(languages: readonly string[], tokenizer: TokenCounter): number | null {
  const known = cache.get(tokenizer) ?? new Map<string, number | null>()
  cache.set(tokenizer, known)
  const means = languages.flatMap((language) => {
    const mean = known.get(language) ?? meanTokens(language, tokenizer)
    known.set(language, mean)
    return mean ?? []
  })
  return means.length === 0 ? null : Math.min(...means)
}

function meanTokens(language: string, tokenizer: TokenCounter): number | null {
  const all = stopWords.get(language) ?? functionWords[language]?.trim().split(/\s+/) ?? []
  const words = all.filter((text) => text.length >= minLength)
  if (words.length === 0) return null
  return words.reduce((sum, word) => sum + countTokens(word, tokenizer), 0) / words.length
}
