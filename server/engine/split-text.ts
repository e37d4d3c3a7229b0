import type { Tokenizer } from './ports'

/**
 * Cuts a text into parts of at most `limit` word pieces: at lines, then at sentences of its language, then at words,
 * then inside a word. Neighbours are joined again as long as they fit. Counts of parts add up, as pieces never cross
 * white space.
 */
export function splitText(text: string, limit: number, tokenizer: Tokenizer, language: string): string[] {
  const cutters = [lines, sentencesIn(language), words, halves]
  function cut(part: string, level: number): string[] {
    if (tokenizer.count(part) <= limit) return [part]
    const cutter = cutters[Math.min(level, cutters.length - 1)] ?? halves
    const smaller = cutter(part)
    if (smaller.length < 2) return level < cutters.length ? cut(part, level + 1) : [part]
    const parts = smaller.flatMap((piece) => cut(piece, level + (cutter === halves ? 0 : 1)))
    return joinWhileFitting(parts, limit, tokenizer, level === 0 ? '\n' : cutter === halves ? '' : ' ')
  }
  return cut(text, 0)
}

function joinWhileFitting(parts: string[], limit: number, tokenizer: Tokenizer, glue: string): string[] {
  const joined: string[] = []
  let room = 0
  for (const part of parts) {
    const cost = tokenizer.count(part)
    const last = joined.length - 1
    if (last >= 0 && cost <= room) {
      joined[last] += glue + part
      room -= cost
    } else {
      joined.push(part)
      room = limit - cost
    }
  }
  return joined
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function sentencesIn(language: string): (text: string) => string[] {
  const segmenter = new Intl.Segmenter(isLocale(language) ? language : 'en', { granularity: 'sentence' })
  return (text) => [...segmenter.segment(text)].map(({ segment }) => segment.trim()).filter((part) => part !== '')
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

/** By code points, so that no character is torn. */
function halves(text: string): string[] {
  const points = [...text]
  if (points.length < 2) return [text]
  const middle = points.length >> 1
  return [points.slice(0, middle).join(''), points.slice(middle).join('')]
}
