import type { Tokenizer } from '../../ports/search-index'
import { type CountedText, splitText } from './split-text'

/** Share of the limit that the items above a nested one may have to be repeated. */
const maxParentShare = 0.25

/** A part of a list, and the items above its first one, in lines. */
export interface ListPart extends CountedText {
  parents: CountedText
}

const none: CountedText = { text: '', tokens: 0 }

/**
 * Splits a list into parts of at most `limit` tokens: between items, and only an item that does not fit within itself. A part
 * that starts with a nested item repeats the items above it, unless they are long.
 */
export function splitList(text: string, limit: number, tokenizer: Tokenizer, language: string): ListPart[] {
  const parts: ListPart[] = []
  /** The item at each depth above the current line. */
  const above: CountedText[] = []
  let part: ListPart | null = null
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const item = { text: line, tokens: tokenizer.count(line) }
    const depth = depthOf(line)
    above.length = Math.min(above.length, depth)
    const parents = parentsOf(above, limit)
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

function parentsOf(above: CountedText[], limit: number): CountedText {
  const items = above.filter((item) => item !== undefined)
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
  return tokens > limit * maxParentShare ? none : { text: items.map(({ text }) => text).join('\n'), tokens }
}
