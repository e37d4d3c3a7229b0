import type { Block } from '../ports/extractor'
import type { Tokenizer } from '../ports/search-index'

export type Heading = Extract<Block, { kind: 'heading' }>

/** Characters. In every language, these are more tokens than a context may have. */
const maxHeadingLength = 4_000
/** Consecutive headings without text. Further ones are only part of the path. */
export const maxPending = 256

/** The headings of the current position in a document, and those without text so far. */
export interface HeadingPath {
  /** Outermost first. */
  readonly path: readonly Heading[]
  readonly pending: readonly Heading[]
  push(heading: Heading): void
  /** Removes the headings from a level on, because their sections have ended. They stay pending. */
  leave(level: number): void
  /** Removes and returns all pending headings, or some of them. */
  take(part?: readonly Heading[]): Heading[]
}

/** `root` is the outermost heading of the whole document. */
export function createHeadingPath(root: string | null = null): HeadingPath {
  let path: Heading[] = root === null ? [] : [{ kind: 'heading', level: 0, text: root, anchor: null }]
  let pending: Heading[] = []
  return {
    get path() {
      return path
    },
    get pending() {
      return pending
    },
    push(input) {
      const heading = input.text.length > maxHeadingLength ? { ...input, text: truncate(input.text) } : input
      path = [...path.filter(({ level }) => level < heading.level), heading]
      if (pending.length < maxPending) pending.push(heading)
    },
    leave(level) {
      path = path.filter((heading) => heading.level < level)
    },
    take(part = pending) {
      const taken = pending.filter((heading) => part.includes(heading))
      pending = pending.filter((heading) => !part.includes(heading))
      return taken
    },
  }
}

/** Does not split a surrogate pair. */
function truncate(text: string): string {
  return text.slice(0, maxHeadingLength).replace(/[\ud800-\udbff]$/, '')
}

/** A text with more open brackets is no signature. */
const maxOpenBrackets = 5

/** A heading in the path of a fragment. */
export interface FittedHeading {
  heading: Heading
  /** Its text, shortened to fit. */
  text: string
  /** Number of lines of the fragment before it. */
  line: number
}

/** The headings that fit in the context of a fragment, innermost ones first to get room, in the order of the path. */
export function fitHeadings(
  path: readonly Heading[],
  tokenizer: Tokenizer,
  title: string,
  contextTokens: number,
): FittedHeading[] {
  let room = contextTokens - tokenizer.count(title)
  const headings: FittedHeading[] = []
  for (const heading of [...path].reverse()) {
    const { text } = heading
    const short = shorten(text, room - 1, tokenizer)
    if (!short) break
    headings.unshift({ heading, text: short, line: 0 })
    // One token for the separator.
    room -= tokenizer.count(short) + 1
    if (short !== text) break
  }
  return headings
}

/** Inserts headings among the lines of a fragment. */
export function withHeadings(lines: readonly string[], headings: readonly FittedHeading[]): string[] {
  const all = [...lines]
  for (const { text, line } of headings.toReversed()) all.splice(line, 0, text)
  return all
}

/**
 * Returns as many words from the start of a text as fit in `limit` tokens. A signature that is cut in its brackets ends with
 * '…' and those brackets, so that it is not taken for a complete one.
 */
export function shorten(text: string, limit: number, tokenizer: Tokenizer): string {
  if (tokenizer.count(text) <= limit) return text
  const words: string[] = []
  let room = limit
  for (const word of text.split(/\s+/)) {
    room -= tokenizer.count(word)
    if (room < 0) break
    words.push(word)
  }
  for (; words.length > 0; words.pop()) {
    const short = words.join(' ')
    const brackets = closingBrackets(short)
    if (brackets === '' || brackets.length > maxOpenBrackets) return short
    const closed = `${short.replace(/[\s,;:|]+$/, '')} …${brackets}`
    if (tokenizer.count(closed) <= limit) return closed
  }
  return ''
}

/** Returns the brackets that close those that are open at the end of a text. */
function closingBrackets(text: string): string {
  const open: string[] = []
  for (const [character] of text.matchAll(/[()[\]{}]/g)) {
    const closing = bracketPairs.get(character)
    if (closing) open.unshift(closing)
    else if (open[0] === character) open.shift()
  }
  return open.join('')
}

const bracketPairs = new Map(Object.entries({ '(': ')', '[': ']', '{': '}' }))
