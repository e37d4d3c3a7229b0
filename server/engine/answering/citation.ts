export interface Citation {
  numbers: number[]
  /** Index after the citation, and after an address in parentheses that follows it. */
  end: number
}

/** Characters of a bracket: '[1, 2, 5-7]'. */
const maxBracketLength = 42
const maxAddressLength = 2_100
const maxNumber = 99
/** A longer range is not a citation. */
const maxRange = 25
const bracket = /\[[\d\s,;–-]*/y
const item = /^(\d{1,2})(?:\s*[–-]\s*(\d{1,2}))?$/

/**
 * Reads the citation that starts with the bracket at `at`: '[1]', '[1, 2]', '[1-3]', or '[1](address)', of which the
 * address is dropped. '[[1]]' is read as '[1]'. Returns null for another bracket, and 'incomplete' while more text may complete a citation.
 */
export function readCitation(text: string, index: number, hasEnded: boolean): Citation | 'incomplete' | null {
  const isDouble = text[index + 1] === '['
  const open = isDouble ? index + 1 : index
  bracket.lastIndex = open
  const close = open + (bracket.exec(text)?.[0].length ?? 0)
  if (close - open > maxBracketLength) return null
  if (close >= text.length) return hasEnded ? null : 'incomplete'
  if (text[close] !== ']') return null
  const numbers = numbersOf(text.slice(open + 1, close))
  if (numbers === null) return null
  if (isDouble && close + 1 >= text.length) return hasEnded ? null : 'incomplete'
  if (isDouble && text[close + 1] !== ']') return null
  const end = isDouble ? close + 2 : close + 1
  if (end >= text.length) return hasEnded ? { numbers, end } : 'incomplete'
  if (text[end] !== '(') return { numbers, end }
  const closeAddress = endOfAddress(text, end)
  if (closeAddress !== null) return { numbers, end: closeAddress }
  const canContinue = !hasEnded && text.length - end < maxAddressLength && !text.slice(end).includes('\n')
  return canContinue ? 'incomplete' : { numbers, end }
}

function numbersOf(list: string): number[] | null {
  const numbers: number[] = []
  for (const part of list.split(/[,;]/)) {
    const [, first, last = first] = item.exec(part.trim()) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (first === undefined || from > to || to > maxNumber || to - from > maxRange) return null
    for (let number = from; number <= to; number++) numbers.push(number)
  }
  return numbers
}

/** Returns the index after the parenthesis that closes the one at `open`; null without one in the same line. */
function endOfAddress(text: string, open: number): number | null {
  let depth = 0
  for (let index = open; index < text.length && index - open < maxAddressLength && text[index] !== '\n'; index++) {
    if (text[index] === '(') depth++
    if (text[index] === ')' && --depth === 0) return index + 1
  }
  return null
}
