import type { CountedText } from './split-text'

/** A part of indented lines, and the lines above that its first line belongs to. */
export interface NestedPart extends CountedText {
  parents: CountedText
}

/** Share of the limit that the lines above may have to be repeated. */
const maxParentShare = 0.25

/** Returns the lines as one text, unless they are too long to be repeated. */
export function repeatable(lines: CountedText[], limit: number): CountedText {
  const tokens = lines.reduce((sum, line) => sum + line.tokens, 0)
  if (tokens > limit * maxParentShare) return { text: '', tokens: 0 }
  return { text: lines.map(({ text }) => text).join('\n'), tokens }
}
