import type { Block, Tokenizer } from '../ports'

export type Heading = Extract<Block, { kind: 'heading' }>

/** Characters; so many are more than the pieces of a context have in any language. */
const longestHeading = 4_000
/** Headings in a row without text; what is more stands in the path alone. */
export const mostWaiting = 256

/** The headings over the place where a document is read, and those that still wait for their first text. */
export interface HeadingPath {
  /** Outermost first. */
  readonly path: readonly Heading[]
  readonly waiting: readonly Heading[]
  push(heading: Heading): void
  /** Those that wait, or some of them, which do so no longer. */
  take(some?: readonly Heading[]): Heading[]
}

/** `root` stands over all of them. */
export function createHeadingPath(root: string | null = null): HeadingPath {
  let path: Heading[] = root === null ? [] : [{ kind: 'heading', level: 0, text: root, anchor: null }]
  let waiting: Heading[] = []
  return {
    get path() {
      return path
    },
    get waiting() {
      return waiting
    },
    push(given) {
      const heading = given.text.length > longestHeading ? { ...given, text: beginningOf(given.text) } : given
      path = [...path.filter(({ level }) => level < heading.level), heading]
      if (waiting.length < mostWaiting) waiting.push(heading)
    },
    take(some = waiting) {
      const taken = waiting.filter((heading) => some.includes(heading))
      waiting = waiting.filter((heading) => !some.includes(heading))
      return taken
    },
  }
}

/** Never ends with half a character. */
function beginningOf(text: string): string {
  return text.slice(0, longestHeading).replace(/[\ud800-\udbff]$/, '')
}

/** A heading over a fragment. */
export interface HeadingOver {
  heading: Heading
  /** As much of it as there is room for. */
  text: string
  /** Lines of the fragment that stand in front of it. */
  line: number
}

/** As many headings as the pieces of a context have room for; the innermost say most. */
export function fitHeadings(
  path: readonly Heading[],
  tokenizer: Tokenizer,
  title: string,
  contextPieces: number,
): HeadingOver[] {
  let room = contextPieces - tokenizer.count(title)
  const headings: HeadingOver[] = []
  for (const heading of [...path].reverse()) {
    const { text } = heading
    const short = shorten(text, room - 1, tokenizer)
    if (!short) break
    headings.unshift({ heading, text: short, line: 0 })
    // One piece for the stroke between two headings.
    room -= tokenizer.count(short) + 1
    if (short !== text) break
  }
  return headings
}

/** Lines of a fragment with headings in their places among them. */
export function withHeadings(lines: readonly string[], headings: readonly HeadingOver[]): string[] {
  const all = [...lines]
  for (const { text, line } of headings.toReversed()) all.splice(line, 0, text)
  return all
}

/** The first words of a text that fit. */
export function shorten(text: string, limit: number, tokenizer: Tokenizer): string {
  if (tokenizer.count(text) <= limit) return text
  const kept: string[] = []
  let room = limit
  for (const word of text.split(/\s+/)) {
    room -= tokenizer.count(word)
    if (room < 0) break
    kept.push(word)
  }
  return kept.join(' ')
}
