import type { ParsedQuery } from '../../ports/parsed-query'

type WeighedQuery = Pick<ParsedQuery, 'isEnglish' | 'isReadByLetters' | 'tokensPerWord' | 'tokensPerFunctionWord'> & {
  /** See `isFoundName`. */
  isFoundName: boolean
}

const tokensPerFamiliarWord = 1.35
const tokensPerUnknownWord = 2
/** Tokens per function word up to which the model knows a language, and from which it reads letters. */
const maxTokensOfKnownLanguage = 1.25
const minTokensOfLetters = 3
/** Weights of the cosine, from 0 to 1. Chosen on the sets of docs/figures.md: the optima are flat. */
const familiarWeight = 0.6
/** Text of a known language in which the model knows few words, such as code. */
const unfamiliarWeight = 0.4
const unknownLanguageWeight = 0.3
const lettersWeight = 0.2
const nameWeight = 0.1

/**
 * How well the embedding model knows a language: 1 up to 1.35 tokens per word, 0 from 2.0, linear between. Decided per
 * query rather than per collection, because to the tokenizer source code looks like a foreign language.
 */
export function languageFamiliarity(tokensPerWord: number): number {
  return Math.min(
    1,
    Math.max(0, (tokensPerUnknownWord - tokensPerWord) / (tokensPerUnknownWord - tokensPerFamiliarWord)),
  )
}

/**
 * The weight of the cosine in the fusion score of a query. In a language the model does not know it is low, however few
 * tokens the words of the query have: French and English share many. See docs/decisions/vector-weight.md.
 */
export function vectorWeightFor({ isFoundName, ...query }: WeighedQuery): number {
  if (isFoundName) return nameWeight
  const { isEnglish, isReadByLetters, tokensPerWord, tokensPerFunctionWord } = query
  const languageTokens = isEnglish ? 1 : (tokensPerFunctionWord ?? tokensPerWord)
  if (isReadByLetters || languageTokens >= minTokensOfLetters) return lettersWeight
  if (languageTokens > maxTokensOfKnownLanguage) return unknownLanguageWeight
  return unfamiliarWeight + (familiarWeight - unfamiliarWeight) * languageFamiliarity(tokensPerWord)
}
