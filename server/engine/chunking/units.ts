import { crawlLimits } from '../limits'
import type { Block, LineAnchor, Tokenizer } from '../ports'
import { splitText } from './split-text'

/** A piece of a block that stands in a fragment as it is. */
export interface TextUnit {
  text: string
  tokens: number
  anchor: string | null
}

/** Word pieces that a fragment of a document aims at, and may have, beside its title and headings. */
export interface TokenRange {
  target: number
  max: number
}

export type TextBlock = Exclude<Block, { kind: 'heading' }>

/** Characters; longer texts are hardly counted twice. */
const maxCachedLength = 300
const maxCachedTexts = 5_000
/** Characters of a word piece at most, on average; a model takes a word without end for one piece. */
const longestPiece = 64

/**
 * Counts as the tokenizer does, and so that no number of pieces is a text without end. Titles, headings and short lines
 * are counted for every block that they stand over: those met last are remembered.
 */
export function memoizeCounts(tokenizer: Tokenizer): Tokenizer {
  // A plain map, because creating an LRU cache for each document costs several times as much as chunking a short one.
  const cache = new Map<string, number>()
  const count = (text: string) => Math.max(tokenizer.count(text), Math.floor(text.length / longestPiece))
  return {
    count(text) {
      if (text.length > maxCachedLength) return count(text)
      const cached = cache.get(text)
      if (cached !== undefined) return cached
      const counted = count(text)
      if (cache.size >= maxCachedTexts) cache.clear()
      cache.set(text, counted)
      return counted
    },
  }
}

/** The limits of fragments in word pieces; smaller in the same proportions for a model that reads less. */
export function fragmentLimits({ maxPassageTokens = crawlLimits.fragment.maxPieces }: Tokenizer) {
  const { aimPieces, maxPieces, contextPieces } = crawlLimits.fragment
  const share = Math.min(1, maxPassageTokens / maxPieces)
  return {
    aimPieces: Math.floor(aimPieces * share),
    maxPieces: Math.floor(maxPieces * share),
    contextPieces: Math.floor(contextPieces * share),
  }
}

/** A block as the pieces that can stand in a fragment. Code and tables stay whole as far as a fragment may go. */
export function unitsOf(block: TextBlock, room: TokenRange, tokenizer: Tokenizer, language: string): TextUnit[] {
  const anchors = 'anchors' in block ? (block.anchors ?? []) : []
  const anchor = block.anchor ?? anchors.find(({ line }) => line === 0)?.anchor ?? null
  const tokens = tokenizer.count(block.text)
  const whole = block.kind === 'code' || block.kind === 'table' ? room.max : room.target
  if (tokens <= whole) return [{ text: block.text, tokens, anchor }]
  const [head = '', ...rows] = block.kind === 'table' ? block.text.split('\n') : []
  const headTokens = tokenizer.count(head)
  // Each part of a long table starts with what its columns are called.
  const repeats = rows.length > 0 && headTokens <= room.target / 4
  const parts = repeats
    ? splitText({ text: rows.join('\n'), tokens: tokens - headTokens }, room.target - headTokens, tokenizer, language)
    : splitText({ text: block.text, tokens }, room.target, tokenizer, language)
  const inside = anchorsOf(parts, block.text, anchors, repeats ? 1 : 0)
  return parts.map((part, index) => ({
    text: repeats ? `${head}\n${part.text}` : part.text,
    tokens: repeats ? headTokens + part.tokens : part.tokens,
    anchor: (index > 0 && inside[index]) || anchor,
  }))
}

/** For each part of a text the nearest anchor at or before the line that it starts in; `first` is that of the first. */
function anchorsOf(parts: { text: string }[], text: string, anchors: LineAnchor[], first: number): (string | null)[] {
  if (anchors.length === 0) return []
  const lines = text.split('\n')
  let line = first
  /** Letters of the line in front of the part: cutting changes nothing but white space. */
  let passed = 0
  let size = lettersIn(lines[line])
  let next = 0
  let nearest: string | null = null
  return parts.map((part) => {
    while (passed >= size && line < lines.length - 1) {
      passed -= size
      line++
      size = lettersIn(lines[line])
    }
    for (let known = anchors[next]; known && known.line <= line; known = anchors[next]) {
      nearest = known.anchor
      next++
    }
    passed += lettersIn(part.text)
    return nearest
  })
}

function lettersIn(text = ''): number {
  return text.replace(/\s+/g, '').length
}

/** Characters of a block that are cut into fragments at once. */
const longestBlock = 500_000
const longestHead = 10_000

/** A block of any length as blocks that can be cut one by one: at its lines, or between words. */
export function* splitBlock(block: Block): Generator<Block> {
  if (block.kind === 'heading' || block.text.length <= longestBlock) return yield block
  const head = block.kind === 'table' ? block.text.slice(0, longestHead).split('\n', 1)[0] : ''
  const repeated = head && head.length < longestHead ? `${head}\n` : ''
  let line = 0
  for (let start = 0; start < block.text.length; ) {
    const part = stretchOf(block.text, start)
    const shift = start > 0 && repeated ? line - 1 : line
    const text = start > 0 ? repeated + part : part
    const below = line + part.split('\n').length - 1
    if ('anchors' in block && block.anchors) {
      yield { ...block, text, anchors: anchorsBetween(block.anchors, line, below, shift) }
    } else {
      yield { ...block, text }
    }
    start += part.length
    line = below
  }
}

/** Of the lines `from` to `to`, and the nearest before them, which goes to their first; counted from `shift`. */
function anchorsBetween(anchors: LineAnchor[], from: number, to: number, shift: number): LineAnchor[] {
  const before = anchors.findLast(({ line }) => line <= from)
  const inside = anchors.filter(({ line }) => line > from && line <= to)
  return [...(before ? [{ ...before, line: from }] : []), ...inside].map(({ line, anchor }) => ({
    line: line - shift,
    anchor,
  }))
}

/** Up to the last end of a line, or else the last space, in the second half of what is allowed. */
function stretchOf(text: string, start: number): string {
  const window = text.slice(start, start + longestBlock)
  if (start + window.length === text.length) return window
  const end = ['\n', ' '].map((sign) => window.lastIndexOf(sign)).find((at) => at > longestBlock / 2)
  // Never between the halves of a character.
  return end === undefined ? window.replace(/[\ud800-\udbff]$/, '') : window.slice(0, end + 1)
}
