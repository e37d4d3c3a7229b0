import type { Tokenizer } from '../../ports/search-index'

/** The parts of a tokenizer that tell how well the model knows a text. */
export type TokenCounter = Pick<Tokenizer, 'count' | 'countUnknownByLetters'>

/** Characters of a text that are enough to measure its tokens per word. */
const sampleLength = 600
const letters = /\p{L}{2,}/gu

/** Tokens per word at the start of a text, which tell how well the model knows its language; null without words. */
export function tokensPerWordOf(text: string, tokenizer: TokenCounter): number | null {
  const sample = text.slice(0, sampleLength).match(letters) ?? []
  return sample.length === 0 ? null : countTokens(sample.join(' '), tokenizer) / sample.length
}

/** Tokens of a text, each letter of a word that the model has no tokens for counting as one. */
export function countTokens(text: string, tokenizer: TokenCounter): number {
  return tokenizer.countUnknownByLetters?.(text) ?? tokenizer.count(text)
}
