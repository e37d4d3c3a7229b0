import { isUnsegmented, splitWords } from '../../language/normalize-text'

/** A word and where it starts in its text. */
export interface FoundWord {
  word: string
  index: number
}

const prefixLength = 2
const word = /(?:[\p{L}\p{N}\p{M}]|\u00AD|\u200D|\u2060)+/gu
const wordCharacter = /^(?:[\p{L}\p{N}\p{M}]|\u00AD|\u200D|\u2060)$/u
const surrogate = /[\ud800-\udfff]/
const asciiCharacters = 128
const lowerCaseBit = 32

/** Kinds of characters, as bits. */
const digit = 1
const upper = 2
const lower = 4
const beyondAscii = 8
const unknown = 255
/** By code unit; 0 for those that are not of words. */
const kinds = new Uint8Array(65_536).fill(unknown)

/** Finds the words of texts that may be similar to one of a few terms, which have the same first letters. */
export class LikelyWords {
  private readonly asciiPrefixes = new Set<number>()

  /** `terms` are folded. */
  constructor(terms: string[]) {
    for (const prefix of terms.map(prefixOf)) {
      const [first, second] = [prefix.charCodeAt(0), prefix.length > 1 ? prefix.charCodeAt(1) : 0]
      if (first < asciiCharacters && second < asciiCharacters) this.asciiPrefixes.add(first * asciiCharacters + second)
    }
  }

  /**
   * The words of a text, without those of plain letters or digits that no term is similar to. Soft hyphens and joiners
   * occur within words.
   */
  find(text: string): FoundWord[] {
    return surrogate.test(text) ? splitByPattern(text) : scan(text, this.asciiPrefixes)
  }
}

/** The words of a folded text that contain one of these groups of letters; all words if it has characters of two code units. */
export function wordsWith(letters: string[], folded: string): Iterable<string> {
  if (!letters.some((group) => folded.includes(group))) return []
  if (surrogate.test(folded)) return splitWords(folded)
  const words = new Set<string>()
  for (const group of letters)
    for (let index = folded.indexOf(group); index !== -1; ) {
      const word = wordAround(folded, index)
      if (isUnsegmented(word)) for (const part of splitWords(word)) words.add(part)
      else words.add(word)
      index = folded.indexOf(group, index + group.length)
    }
  return words
}

function wordAround(text: string, index: number): string {
  let start = index
  while (start > 0 && kindOf(text.charCodeAt(start - 1)) !== 0) start--
  let end = index
  while (end < text.length && kindOf(text.charCodeAt(end)) !== 0) end++
  return text.slice(start, end)
}

/** The first letters of a folded word: words with different ones are never similar. */
export function prefixOf(folded: string): string {
  return folded.slice(0, prefixLength)
}

/** Finds all words. Characters of two code units need the pattern. */
function splitByPattern(text: string): FoundWord[] {
  return Array.from(text.matchAll(word), ({ 0: found, index }) => ({ word: found, index }))
}

function scan(text: string, asciiPrefixes: ReadonlySet<number>): FoundWord[] {
  const found: FoundWord[] = []
  for (let start = 0; start < text.length; start++) {
    const firstKind = kindOf(text.charCodeAt(start))
    if (firstKind === 0) continue
    // Which kinds of characters follow the first one.
    let following = 0
    let end = start + 1
    for (; end < text.length; end++) {
      const kind = kindOf(text.charCodeAt(end))
      if (kind === 0) break
      following |= kind
    }
    if (!isPlain(firstKind, following) || asciiPrefixes.has(prefixCode(text, start, end)))
      found.push({ word: text.slice(start, end), index: start })
    start = end
  }
  return found
}

/** Whether folding only changes a word to lower case, and it has a single part: Word, word, WORD, 123. */
function isPlain(first: number, following: number): boolean {
  if (first === upper) return following === 0 || following === lower || following === upper
  return first !== beyondAscii && (following === 0 || following === first)
}

/** The first letters of a plain word in lower case, as one number. */
function prefixCode(text: string, start: number, end: number): number {
  const second = end - start > 1 ? lowerCased(text.charCodeAt(start + 1)) : 0
  return lowerCased(text.charCodeAt(start)) * asciiCharacters + second
}

function lowerCased(code: number): number {
  return kinds[code] === upper ? code | lowerCaseBit : code
}

function kindOf(code: number): number {
  const kind = kinds[code] as number
  return kind === unknown ? learnKind(code) : kind
}

function learnKind(code: number): number {
  const character = String.fromCharCode(code)
  const kind = !wordCharacter.test(character)
    ? 0
    : code >= asciiCharacters
      ? beyondAscii
      : character < ':'
        ? digit
        : character < '['
          ? upper
          : lower
  kinds[code] = kind
  return kind
}
