import { crawlLimits } from '../../limits'
import type { Block, LineAnchor } from '../../ports/extractor'
import type { Tokenizer } from '../../ports/search-index'
import { splitCode } from './split-code'
import { splitList } from './split-list'
import { type CountedText, splitText } from './split-text'

/** A part of a block that is not divided between fragments. */
export interface TextUnit {
  text: string
  tokens: number
  anchor: string | null
}

/** Target and maximum number of tokens of a fragment, without its title and headings. */
export interface TokenRange {
  target: number
  max: number
}

export type TextBlock = Exclude<Block, { kind: 'heading' }>

/** Maximum length of a text whose tokens are cached, in characters. Longer texts are rarely counted twice. */
const maxCachedLength = 300
const maxCachedTexts = 5_000
/** Maximum average length of a token, in characters. Models count an unknown word of any length as one token. */
const maxTokenLength = 64

/**
 * Caches the counts of recent short texts, because titles, headings and short lines are counted repeatedly. Counts at least
 * one token per 64 characters, so that a limit of tokens always limits the length.
 */
export function memoizeCounts(tokenizer: Tokenizer): Tokenizer {
  // A plain map, because creating an LRU cache for each document costs several times as much as chunking a short one.
  const cache = new Map<string, number>()
  const count = (text: string) => Math.max(tokenizer.count(text), Math.floor(text.length / maxTokenLength))
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

/** The limits of fragments in tokens, scaled down for a model with shorter passages. */
export function fragmentLimits({ maxPassageTokens = crawlLimits.fragment.maxTokens }: Tokenizer) {
  const { targetTokens, maxTokens, contextTokens } = crawlLimits.fragment
  const scale = Math.min(1, maxPassageTokens / maxTokens)
  return {
    targetTokens: Math.floor(targetTokens * scale),
    maxTokens: Math.floor(maxTokens * scale),
    contextTokens: Math.floor(contextTokens * scale),
  }
}

/** A part of a block, and the lines of the block that it repeats above it: the header row of a table, the items above. */
interface BlockPart extends CountedText {
  repeated: CountedText
}

const nothing: CountedText = { text: '', tokens: 0 }

/** Divides a block into units that fit in a fragment. Code and tables are divided only above the maximum. */
export function unitsOf(block: TextBlock, room: TokenRange, tokenizer: Tokenizer, language: string): TextUnit[] {
  const anchors = 'anchors' in block ? (block.anchors ?? []) : []
  const anchor = block.anchor ?? anchors.find(({ line }) => line === 0)?.anchor ?? null
  const tokens = tokenizer.count(block.text)
  const limit = block.kind === 'code' || block.kind === 'table' ? room.max : room.target
  if (tokens <= limit) return [{ text: block.text, tokens, anchor }]
  const { parts, firstLine } = partsOf({ ...block, tokens }, room.target, tokenizer, language)
  const partAnchors = anchorsOf(parts, block.text, anchors, firstLine)
  return parts.map(({ text, tokens: own, repeated }, index) => ({
    text: repeated.text === '' ? text : `${repeated.text}\n${text}`,
    tokens: repeated.tokens + own,
    anchor: (index > 0 && partAnchors[index]) || anchor,
  }))
}

/** Divides a block where its kind allows. `firstLine` is the line of the first part in the block. */
function partsOf(
  { kind, text, tokens }: TextBlock & CountedText,
  limit: number,
  tokenizer: Tokenizer,
  language: string,
): { parts: BlockPart[]; firstLine: number } {
  const whole = (parts: CountedText[]) => ({
    parts: parts.map((part) => ({ ...part, repeated: nothing })),
    firstLine: 0,
  })
  if (kind === 'code' || kind === 'list') {
    const parts = (kind === 'code' ? splitCode : splitList)(text, limit, tokenizer, language)
    return { parts: parts.map(({ parents, ...part }) => ({ ...part, repeated: parents })), firstLine: 0 }
  }
  const [head = '', ...rows] = kind === 'table' ? text.split('\n') : []
  const repeated = { text: head, tokens: tokenizer.count(head) }
  // Each part of a long table repeats the header row.
  if (rows.length === 0 || repeated.tokens > limit / 4)
    return whole(splitText({ text, tokens }, limit, tokenizer, language))
  const all = { text: rows.join('\n'), tokens: tokens - repeated.tokens }
  const parts = splitText(all, limit - repeated.tokens, tokenizer, language)
  return { parts: parts.map((part) => ({ ...part, repeated })), firstLine: 1 }
}

/** The nearest anchor at or before the first line of each part. `firstLine` is the line of the first part. */
function anchorsOf(
  parts: { text: string }[],
  text: string,
  anchors: LineAnchor[],
  firstLine: number,
): (string | null)[] {
  if (anchors.length === 0) return []
  const lines = text.split('\n')
  let line = firstLine
  /** Letters of the line before the part: splitting changes only white space. */
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

/** Characters of a block that are chunked at a time. */
const maxBlockLength = 500_000
const maxHeadLength = 10_000

/** Divides a block of any length into blocks of limited length: at line ends, or between words. */
export function* splitBlock(block: Block): Generator<Block> {
  if (block.kind === 'heading' || block.text.length <= maxBlockLength) return yield block
  const head = block.kind === 'table' ? block.text.slice(0, maxHeadLength).split('\n', 1)[0] : ''
  const repeated = head && head.length < maxHeadLength ? `${head}\n` : ''
  let line = 0
  for (let start = 0; start < block.text.length; ) {
    const part = partOf(block.text, start)
    const shift = start > 0 && repeated ? line - 1 : line
    const text = start > 0 ? repeated + part : part
    const lastLine = line + part.split('\n').length - 1
    if ('anchors' in block && block.anchors) {
      yield { ...block, text, anchors: anchorsBetween(block.anchors, line, lastLine, shift) }
    } else {
      yield { ...block, text }
    }
    start += part.length
    line = lastLine
  }
}

/** The anchors of the lines `from` to `to`, and the nearest one before them, moved to line `from`; numbered from `shift`. */
function anchorsBetween(anchors: LineAnchor[], from: number, to: number, shift: number): LineAnchor[] {
  const before = anchors.findLast(({ line }) => line <= from)
  const inside = anchors.filter(({ line }) => line > from && line <= to)
  return [...(before ? [{ ...before, line: from }] : []), ...inside].map(({ line, anchor }) => ({
    line: line - shift,
    anchor,
  }))
}

/** Ends after the last line end in the second half of the allowed length, or else after the last space. */
function partOf(text: string, start: number): string {
  const window = text.slice(start, start + maxBlockLength)
  if (start + window.length === text.length) return window
  const end = ['\n', ' '].map((sign) => window.lastIndexOf(sign)).find((position) => position > maxBlockLength / 2)
  // Does not split a surrogate pair.
  return end === undefined ? window.replace(/[\ud800-\udbff]$/, '') : window.slice(0, end + 1)
}
