import { beginningOf, foldWords, isPaired, pairsOf, runsOf } from './word-forms'

/**
 * How much of each word of a query a fragment holds, 0 to 1: whether it stands in the text, compared by the first five
 * letters without diacritics, so that inflected forms agree; of writing without spaces, the share of its pairs of
 * characters. Their mean stands in for the cosine where the embedding model does not know the language.
 */
export function wordsHeld(words: string[], text: string): number[] {
  const folded = foldWords(text)
  const beginnings = new Set(runsOf(folded).map(shared))
  return words.map(foldWords).map((one) => {
    if (isPaired(one)) return shareOf(pairsOf(one), (pair) => folded.includes(pair))
    return shareOf(runsOf(one), (part) => beginnings.has(shared(part)))
  })
}

function shared(folded: string): string {
  return beginningOf(folded) ?? folded
}

function shareOf(parts: string[], holds: (part: string) => boolean): number {
  return parts.length === 0 ? 0 : parts.filter(holds).length / parts.length
}
