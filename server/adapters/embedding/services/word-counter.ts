import type { Tokenizer } from '../../../engine/ports/search-index'

const words = /[\p{L}\p{M}\p{N}]+/gu

/**
 * Counts a token for each word: the tokenizer of a service is not known here. Its models were trained for many languages, so
 * that no word is foreign to them.
 */
export function createWordCounter(): Tokenizer {
  return { count: (text) => text.match(words)?.length ?? 0 }
}
