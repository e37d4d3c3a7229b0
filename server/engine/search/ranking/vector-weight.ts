import type { ParsedQuery } from '../query/parsed-query'

const tokensPerFamiliarWord = 1.35
const tokensPerUnknownWord = 2
/** Weights of the cosine, from 0 to 1. Chosen on the sets of docs/figures.md: the optima are flat. */
const familiarWeight = 0.6
/** English of which the model knows few words, such as code. */
const unfamiliarWeight = 0.4
const otherLanguageWeight = 0.3
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
 * The weight of the cosine in the fusion score of a query. Another language than English counts as unfamiliar, however few
 * tokens its words have: French and English share many. See docs/decisions/vector-weight.md.
 */
export function vectorWeightFor({
  isEnglish,
  tokensPerWord,
  isFoundName,
}: Pick<ParsedQuery, 'isEnglish' | 'tokensPerWord'> & { isFoundName: boolean }): number {
  if (isFoundName) return nameWeight
  if (!isEnglish) return otherLanguageWeight
  return unfamiliarWeight + (familiarWeight - unfamiliarWeight) * languageFamiliarity(tokensPerWord)
}
