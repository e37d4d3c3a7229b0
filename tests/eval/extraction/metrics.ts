/** Pieces of text that have to be found, and those that must not be. */
export interface Pieces {
  with: string[]
  without: string[]
}

export interface Counts {
  truePositives: number
  falsePositives: number
  falseNegatives: number
}

/** Shares from 0 to 1; f1 is the harmonic mean of the other two. */
export interface Shares {
  precision: number
  recall: number
  f1: number
}

/** Which passages a text contains, ignoring differences of white space; null is a page that could not be read. */
export function countPieces(text: string | null, pieces: Pieces): Counts {
  const whole = normalized(text ?? '')
  const has = (piece: string) => text !== null && whole.includes(normalized(piece))
  const truePositives = pieces.with.filter(has).length
  return {
    truePositives,
    falsePositives: pieces.without.filter(has).length,
    falseNegatives: pieces.with.length - truePositives,
  }
}

/** Of the counts of many pages, added up. */
export function sharesOf(counts: Counts[]): Shares {
  const sum = (of: (first: Counts) => number) => counts.reduce((total, count) => total + of(count), 0)
  const found = sum((item) => item.truePositives)
  return shares(found, found + sum((item) => item.falsePositives), found + sum((item) => item.falseNegatives))
}

/** How far two texts have the same words, each as often; two empty texts agree. */
export function tokenShares(text: string, expected: string): Shares {
  const wanted = tokensOf(expected)
  const found = tokensOf(text)
  const left = new Map<string, number>()
  for (const token of wanted) left.set(token, (left.get(token) ?? 0) + 1)
  let common = 0
  for (const token of found) {
    const count = left.get(token) ?? 0
    if (count === 0) continue
    left.set(token, count - 1)
    common++
  }
  return found.length + wanted.length === 0
    ? { precision: 1, recall: 1, f1: 1 }
    : shares(common, found.length, wanted.length)
}

function shares(common: number, found: number, wanted: number): Shares {
  return {
    precision: common / Math.max(1, found),
    recall: common / Math.max(1, wanted),
    f1: (2 * common) / Math.max(1, found + wanted),
  }
}

function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

export function normalized(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}
