import type { Tokenizer } from '../../ports/search-index'
import { type NestedPart, repeatable } from './nested-part'
import { type CountedText, splitText } from './split-text'

/** Share of the limit from which on a part may end. */
const minShare = 0.4
/** What a line costs as the start of a part: each letter of indentation, no empty line above, the inside of a statement. */
const cost = { noGap: 3, insideStatement: 1000 }

/** Levels of indentation whose lines are remembered; more are too long to be repeated. */
const maxLevels = 12

interface CodeLine extends CountedText {
  indent: number
  /** How badly a part starts with it. */
  startCost: number
  /** The lines that it is indented below. */
  above: CodeLine[]
}

/**
 * Splits code into parts of at most `limit` tokens, where a reader would: before a line that is indented little, best
 * after an empty line, and not within brackets. Only a line that does not fit is divided. A part that starts indented
 * repeats the lines that it is in, such as the head of its class and its function.
 */
export function splitCode(text: string, limit: number, tokenizer: Tokenizer, language: string): NestedPart[] {
  const parts: NestedPart[] = []
  let open: CodeLine[] = []

  function close(count: number): void {
    const closed = open.slice(0, count)
    open = open.slice(count)
    const lines = closed.slice(closed.findIndex(isText))
    const code = lines.map((line) => line.text).join('\n')
    if (closed.some(isText))
      parts.push({ text: code.trimEnd(), tokens: tokensOf(closed), parents: parentsOf(lines, limit) })
  }

  for (const line of linesOf(text, tokenizer)) {
    const room = limit - parentsOf([line], limit).tokens
    if (line.tokens > room) {
      close(open.length)
      for (const part of splitText(line, room, tokenizer, language))
        parts.push({ ...part, parents: parentsOf([line], limit) })
      continue
    }
    while (open.length > 0 && parentsOf(open, limit).tokens + tokensOf(open) + line.tokens > limit)
      close(bestEnd([...open, line], limit))
    open.push(line)
  }
  close(open.length)
  return parts
}

function parentsOf(lines: CodeLine[], limit: number): CountedText {
  return repeatable(lines.find(isText)?.above ?? [], limit)
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
  let above: CodeLine[] = []
  return text.split('\n').map((source) => {
    const isEmpty = source.trim() === ''
    const indent = /^[>.\s]*/.exec(source)?.[0].length ?? 0
    const isInStatement = depth > 0 || isEmpty || /^\s*(?:\.\.\.(?:\s|$)|[)\]}])/.test(source)
    const startCost = indent + (isAfterGap ? 0 : cost.noGap) + (isInStatement ? cost.insideStatement : 0)
    // A bracket in a string or a comment must not spoil the rest: a statement starts without indentation after a gap.
    depth = isAfterGap && indent === 0 ? bracketsIn(source) : Math.max(0, depth + bracketsIn(source))
    isAfterGap = isEmpty
    // A bracket on a line of its own belongs to the line above it.
    const isStatement = /\p{L}/u.test(source)
    if (isStatement) above = above.filter((line) => line.indent < indent)
    const line = {
      text: source,
      tokens: tokenizer.count(source),
      indent,
      startCost,
      above: above.filter((line) => line.indent < indent),
    }
    if (isStatement && above.length < maxLevels) above = [...above, line]
    return line
  })
}

function isText({ text }: CodeLine): boolean {
  return text.trim() !== ''
}

/** Counts the brackets that a line opens, less those that it closes. */
function bracketsIn(line: string): number {
  return (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0)
}
