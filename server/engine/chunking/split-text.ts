import type { Tokenizer } from '../ports'

/** A part of a text with its word pieces. */
export interface CountedText {
  text: string
  tokens: number
}

/**
 * Cuts a text into parts of at most `limit` word pieces: at lines, then at sentences of its language, then at words,
 * then inside a word. Neighbours are joined again as long as they fit. Counts of parts add up, as pieces never cross
 * white space.
 */
export function splitText(whole: CountedText, limit: number, tokenizer: Tokenizer, language: string): CountedText[] {
  const cutters = [lines, sentencesIn(language), words, halves]
  function cut(part: CountedText, level: number): CountedText[] {
    if (part.tokens <= limit) return [part]
    const cutter = cutters[Math.min(level, cutters.length - 1)] ?? halves
    const smaller = cutter(part.text)
    if (smaller.length < 2) return level < cutters.length ? cut(part, level + 1) : [part]
    const below = level + (cutter === halves ? 0 : 1)
    const parts = smaller.flatMap((text) => cut({ text, tokens: tokenizer.count(text) }, below))
    if (cutter === halves) return joinWhileFitting(parts, limit, '').map(recount)
    return joinWhileFitting(parts, limit, level === 0 ? '\n' : ' ')
  }
  /** Halves of a word count otherwise than the whole. */
  function recount({ text }: CountedText): CountedText {
    return { text, tokens: tokenizer.count(text) }
  }
  return cut(whole, 0)
}

function joinWhileFitting(parts: CountedText[], limit: number, glue: string): CountedText[] {
  const joined: CountedText[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && last.tokens + part.tokens <= limit) {
      last.text += glue + part.text
      last.tokens += part.tokens
    } else {
      joined.push({ ...part })
    }
  }
  return joined
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function sentencesIn(language: string): (text: string) => string[] {
  return (text) => {
    const parts: string[] = []
    for (const stretch of stretches(text)) {
      for (const { segment } of segmenterOf(language).segment(stretch)) {
        const part = segment.trim()
        if (part !== '') parts.push(part)
      }
    }
    return parts
  }
}

/** The segmenter's time grows with the square of what it is given at once. */
const longestStretch = 8_000

/** A long text at ends of its sentences, if it has any, else between words, else between characters. */
function* stretches(text: string): Generator<string> {
  let start = 0
  while (text.length - start > longestStretch) {
    const window = text.slice(start, start + longestStretch)
    const half = longestStretch / 2
    const ends = ['. ', '? ', '! ', '。', '\u0964'].map((end) => window.lastIndexOf(end))
    const place = [Math.max(...ends), window.lastIndexOf(' ')].find((at) => at > half) ?? window.length - 1
    // Never between the halves of a character.
    const isTorn = /[\ud800-\udbff]/.test(window.charAt(place))
    yield window.slice(0, isTorn ? place : place + 1)
    start += isTorn ? place : place + 1
  }
  yield text.slice(start)
}

/** The last one is kept: making one costs more than using it, and a site is mostly in one language. */
let kept: { language: string; segmenter: Intl.Segmenter } | null = null

function segmenterOf(language: string): Intl.Segmenter {
  if (kept?.language !== language) {
    const segmenter = new Intl.Segmenter(isLocale(language) ? language : 'en', { granularity: 'sentence' })
    kept = { language, segmenter }
  }
  return kept.segmenter
}

function isLocale(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** By code points, so that no character is torn; a very long word in stretches first. */
function halves(text: string): string[] {
  if (text.length > longestStretch) return [...stretches(text)]
  const points = [...text]
  if (points.length < 2) return [text]
  const middle = points.length >> 1
  return [points.slice(0, middle).join(''), points.slice(middle).join('')]
}
