const word = /[\p{L}\p{N}]+/gu
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const comparedLetters = 5

/**
 * How much of each word of a query a fragment holds, 0 to 1: whether it stands in the text, compared by the first five
 * letters without diacritics, so that inflected forms agree; of writing without spaces, the share of its pairs of
 * characters.
 */
export function wordsHeld(words: string[], text: string): number[] {
  const folded = fold(text)
  const beginnings = new Set(Array.from(folded.matchAll(word), ([one]) => beginning(one)))
  return words.map(fold).map((one) => {
    if (withoutSpaces.test(one)) return shareOfPairs(one, folded)
    return shareOf(one.match(word) ?? [], (part) => beginnings.has(beginning(part)))
  })
}

/**
 * How much of a query a fragment holds, 0 to 1: the mean over its words. It stands in for the cosine where the embedding
 * model does not know the language.
 */
export function wordEvidence(words: string[], text: string): number {
  if (words.length === 0) return 0
  return wordsHeld(words, text).reduce((sum, held) => sum + held, 0) / words.length
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
}

function beginning(one: string): string {
  return one.slice(0, comparedLetters)
}

function shareOfPairs(one: string, text: string): number {
  const characters = [...one]
  const pairs =
    characters.length === 1 ? characters : characters.slice(1).map((second, n) => `${characters[n]}${second}`)
  return shareOf(pairs, (pair) => text.includes(pair))
}

function shareOf(parts: string[], holds: (part: string) => boolean): number {
  return parts.length === 0 ? 0 : parts.filter(holds).length / parts.length
}
