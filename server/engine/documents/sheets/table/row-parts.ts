/**
 * Estimates how many tokens a text has at most, without a tokenizer: three Latin letters, two digits, or one other
 * character make a token.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const _ of text.matchAll(/[a-z]{1,3}|\d{1,2}|\S/giu)) tokens++
  return tokens
}

/**
 * Returns the start of a text with at most `max` tokens, followed by an ellipsis if it is shortened; cuts between words
 * if possible.
 */
export function truncateToTokens(text: string, max: number): string {
  let end = 0
  let tokens = 0
  for (const { index, 0: token } of text.matchAll(/[a-z]{1,3}|\d{1,2}|\S/giu)) {
    tokens++
    // One token is reserved for the ellipsis.
    if (tokens === max) end = index
    if (tokens > max) {
      const space = text.lastIndexOf(' ', end)
      return `${text.slice(0, space > end / 2 ? space : end).trimEnd()}…`
    }
    if (tokens < max) end = index + token.length
  }
  return text
}
