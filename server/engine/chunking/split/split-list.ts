import type { Tokenizer } from '../../ports/search-index'
import { type NestedPart, repeatable } from './nested-part'
import { type CountedText, splitText } from './split-text'

/**
 * Splits a list into parts of at most `limit` tokens: between items, and only an item that does not fit within itself. A part
 * that starts with a nested item repeats the items above it, unless they are long.
 */
export function splitList(text: string, limit: number, tokenizer: Tokenizer, language: string): NestedPart[] {
  const parts: NestedPart[] = []
  /** The item at each depth above the current line. */
  const above: CountedText[] = []
  let part: NestedPart | null = null
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const item = { text: line, tokens: tokenizer.count(line) }
    const depth = depthOf(line)
    above.length = Math.min(above.length, depth)
    const parents = repeatable(
      above.filter((item) => item !== undefined),
      limit,
    )
    if (part && part.parents.tokens + part.tokens + item.tokens > limit) part = null
    const room = limit - parents.tokens
    if (item.tokens > room) {
      for (const piece of splitText(item, room, tokenizer, language)) parts.push({ ...piece, parents })
      part = null
    } else if (part) {
      part.text += `\n${line}`
      part.tokens += item.tokens
    } else {
      part = { ...item, parents }
      parts.push(part)
    }
    above[depth] = item
  }
  return parts
}

function depthOf(line: string): number {
  return Math.floor((/^ */.exec(line)?.[0].length ?? 0) / 2)
}
