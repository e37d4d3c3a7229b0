import type { Tokenizer } from '../../ports/search-index'

/** A text with its number of tokens. */
export interface CountedText {
  text: string
  tokens: number
}

/**
 * Splits a text into parts of at most `limit` tokens: at line ends, then between sentences of its language, then between
 * words, then within a word. Joins adjacent parts again as long as they fit. Counts of parts add up, because tokens do not
 * cross white space.
 */
export function splitText(source: CountedText, limit: number, tokenizer: Tokenizer, language: string): CountedText[] {
  const splitters = [lines, sentencesIn(language), words, halves]
  return split(source, 0)

  function split(part: CountedText, level: number): CountedText[] {
    if (part.tokens <= limit) return [part]
    const splitter = splitters[Math.min(level, splitters.length - 1)] ?? halves
    const texts = splitter(part.text)
    if (texts.length < 2) return level < splitters.length ? split(part, level + 1) : [part]
    const nextLevel = level + (splitter === halves ? 0 : 1)
    const parts = texts.flatMap((text) => split({ text, tokens: tokenizer.count(text) }, nextLevel))
    if (splitter === halves) return joinWhileFitting(parts, limit, '').map(recount)
    return joinWhileFitting(parts, limit, level === 0 ? '\n' : ' ')
  }

  /** The counts of halves of a word do not add up. */
  function recount({ text }: CountedText): CountedText {
    return { text, tokens: tokenizer.count(text) }
  }
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
    for (const window of windowsOf(text)) {
      for (const { segment } of segmenterOf(language).segment(window)) {
        const part = segment.trim()
        if (part !== '') parts.push(part)
      }
    }
    return parts
  }
}

/** Returns the last sentence of a text of one line; the text if it is one sentence, or has several lines. */
export function lastSentence(text: string, language: string): string {
  return text.includes('\n') ? text : (sentencesIn(language)(text).at(-1) ?? text)
}

/** Characters. The time of the segmenter is quadratic in the length of its input. */
const maxWindowLength = 8_000

/** Divides a long text after sentences, else after words, else after characters. */
function* windowsOf(text: string): Generator<string> {
  let start = 0
  while (text.length - start > maxWindowLength) {
    const window = text.slice(start, start + maxWindowLength)
    const half = maxWindowLength / 2
    const ends = ['. ', '? ', '! ', '。', '\u0964'].map((end) => window.lastIndexOf(end))
    const last = [Math.max(...ends), window.lastIndexOf(' ')].find((position) => position > half) ?? window.length - 1
    // Does not split a surrogate pair.
    const splitsPair = /[\ud800-\udbff]/.test(window.charAt(last))
    yield window.slice(0, splitsPair ? last : last + 1)
    start += splitsPair ? last : last + 1
  }
  yield text.slice(start)
}

/** The last segmenter: creating one costs more than using it, and most sites have one language. */
let cached: { language: string; segmenter: Intl.Segmenter } | null = null

function segmenterOf(language: string): Intl.Segmenter {
  if (cached?.language !== language) {
    const segmenter = new Intl.Segmenter(isLocale(language) ? language : 'en', { granularity: 'sentence' })
    cached = { language, segmenter }
  }
  return cached.segmenter
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

/** Halves a word between code points; divides a very long one into windows first. */
function halves(text: string): string[] {
  if (text.length > maxWindowLength) return [...windowsOf(text)]
  const points = [...text]
  if (points.length < 2) return [text]
  const middle = points.length >> 1
  return [points.slice(0, middle).join(''), points.slice(middle).join('')]
}
