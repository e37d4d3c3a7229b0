const word = /[\p{L}\p{N}]+/gu
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const comparedLetters = 5

/**
 * How much of a query a fragment holds, 0 to 1: the share of the query's words that stand in the text, compared by their
 * first five letters without diacritics, so that inflected forms agree; of writing without spaces, the share of its pairs
 * of characters. It stands in for the cosine where the embedding model does not know the language.
 */
export function wordEvidence(words: string[], text: string): number {
  if (words.length === 0) return 0
  const folded = fold(text)
  const beginnings = new Set(Array.from(folded.matchAll(word), ([one]) => beginning(one)))
  let found = 0
  for (const one of words.map(fold)) {
    if (withoutSpaces.test(one)) found += shareOfPairs(one, folded)
    else found += shareOf(one.match(word) ?? [], (part) => beginnings.has(beginning(part)))
  }
  return found / words.length
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
