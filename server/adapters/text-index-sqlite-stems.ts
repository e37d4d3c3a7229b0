import { stemmer } from 'stemmer'
import { ownText } from '../engine/own-text'

const words = /[\p{L}\p{N}\p{M}]+/gu
const ideographs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const remembered = new Map<string, string>()
const longestMemory = 50_000

/**
 * What the stem columns hold for a text: the English stem of each word (M. F. Porter, 1980). Words are split at '_' and
 * at humps ("createServer" gives "creat", "server" and "createserv"), so that parts of identifiers are found; writing
 * without spaces becomes pairs of characters.
 */
export function stemsOf(text: string): string {
  const stems: string[] = []
  for (const [word] of text.matchAll(words)) {
    const known = remembered.get(word)
    const ofWord = known ?? stemsOfWord(word)
    if (known === undefined) remember(word, ofWord)
    stems.push(ofWord)
  }
  return stems.join(' ')
}

function stemsOfWord(word: string): string {
  if (isWrittenWithoutSpaces(word)) return pairs(word).join(' ')
  const parts = word.split(humps)
  const forms = parts.length > 1 ? [...parts, word] : parts
  return forms.map((form) => stemmer(form.toLowerCase())).join(' ')
}

/** A site says most of its words again and again. */
function remember(word: string, stems: string): void {
  if (remembered.size >= longestMemory) remembered.clear()
  remembered.set(ownText(word), stems)
}

/** Such words are found by their pairs of characters alone. */
export function isWrittenWithoutSpaces(word: string): boolean {
  return ideographs.test(word)
}

function pairs(word: string): string[] {
  const characters = [...word]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, n) => `${characters[n]}${character}`)
}
