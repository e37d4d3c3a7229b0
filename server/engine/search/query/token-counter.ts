import type { Tokenizer } from '../../ports/search-index'

/** The parts of a tokenizer that tell how well the model knows a text. */
export type TokenCounter = Pick<Tokenizer, 'count' | 'countUnknownByLetters'>

/** Tokens of a text, each letter of a word that the model has no tokens for counting as one. */
export function countTokens(text: string, tokenizer: TokenCounter): number {
  return tokenizer.countUnknownByLetters?.(text) ?? tokenizer.count(text)
}
