import type { Tokenizer } from '../../ports/search-index'
import { type CountedText, splitText } from './split-text'

/** Share of the limit from which on a part may end. */
const minShare = 0.4
/** What a line costs as the start of a part: each level of indentation, no empty line above, the inside of a statement. */
const cost = { noGap: 3, insideStatement: 1000 }

interface CodeLine {
  text: string
  tokens: number
  /** How badly a part starts with it. */
  startCost: number
}

/**
 * Splits code into parts of at most `limit` tokens, where a reader would: before a line that is indented little, best
 * after an empty line, and not within brackets. Only a line that does not fit is divided.
 */
export function splitCode(text: string, limit: number, tokenizer: Tokenizer, language: string): CountedText[] {
  const parts: CountedText[] = []
  let open: CodeLine[] = []

  function close(count: number): void {
    const closed = open.slice(0, count)
    open = open.slice(count)
    const joined = closed.map((line) => line.text).join('\n')
    const code = joined.replace(/^\s*\n/, '').trimEnd()
    if (code !== '') parts.push({ text: code, tokens: tokensOf(closed) })
  }

  for (const line of linesOf(text, tokenizer)) {
    if (line.tokens > limit) {
      close(open.length)
      parts.push(...splitText(line, limit, tokenizer, language))
      continue
    }
    while (open.length > 0 && tokensOf(open) + line.tokens > limit) close(bestEnd([...open, line], limit))
    open.push(line)
  }
  close(open.length)
  return parts
}

/** Returns the number of lines before the best start of another part. */
function bestEnd(lines: CodeLine[], limit: number): number {
  let best = lines.length - 1
  let tokens = 0
  for (const [index, line] of lines.entries()) {
    const isBetter = line.startCost < (lines[best]?.startCost ?? 0)
    if (index > 0 && tokens >= limit * minShare && isBetter) best = index
    tokens += line.tokens
  }
  return best
}

function tokensOf(lines: CodeLine[]): number {
  return lines.reduce((sum, { tokens }) => sum + tokens, 0)
}

function linesOf(text: string, tokenizer: Tokenizer): CodeLine[] {
  let depth = 0
  let isAfterGap = false
  return text.split('\n').map((line) => {
    const isEmpty = line.trim() === ''
    const indent = /^[>.\s]*/.exec(line)?.[0].length ?? 0
    const isInside = depth > 0 || isEmpty || /^\s*(?:\.\.\.(?:\s|$)|[)\]}])/.test(line)
    const startCost = indent + (isAfterGap ? 0 : cost.noGap) + (isInside ? cost.insideStatement : 0)
    // A bracket in a string or a comment must not spoil the rest: a statement starts without indentation after a gap.
    depth = isAfterGap && indent === 0 ? bracketsIn(line) : Math.max(0, depth + bracketsIn(line))
    isAfterGap = isEmpty
    return { text: line, tokens: tokenizer.count(line), startCost }
  })
}

/** Counts the brackets that a line opens, less those that it closes. */
function bracketsIn(line: string): number {
  return (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0)
}
