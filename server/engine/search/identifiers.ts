import { foldWords, isPaired, unifyForms } from '../language/normalize-text'

const between = /[\s,;!?"'<>()[\]{}|]+/u
const word = /[\p{L}\p{N}\p{M}]+/gu
const digit = /\p{N}/u
const joined = /[_:\\=@.]/u
const path = /^[^\p{L}\p{N}]*\/|\/.*\//u
const flag = /^--?\p{L}/u
const sentenceEnd = /[.:]+$/u
const bounds = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{2})(?=\p{N}{2})|(?<=\p{N}{2})(?=\p{L}{2})/u
const plusOrSharp = /\+\+|#(?![\p{L}\p{N}#])/gu
const nameBefore = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,30}$/u
const leadingDot = /(?<![\p{L}\p{N}./])\.(\p{L}[\p{L}\p{N}]{1,30})/gu
const longestSignedName = 30
const mostParts = 12
const mostChunks = 50
/** Longer ones are no names but data. */
const longestCode = 200
const longestName = 60

/**
 * Names and codes in a query that are made of several words ("HX-7731", "foo::bar", "/etc/passwd", "v2.1"), folded, each
 * as the words that must follow one another, and those that are told by their signs ("c++" as `cplusplus`).
 */
export function codesIn(query: string): string[][] {
  const codes: string[][] = []
  for (const chunk of unifyForms(query).split(between).slice(0, mostChunks)) {
    if (chunk.length > longestCode) continue
    const code = chunk.replace(sentenceEnd, '')
    codes.push(...signedNames(code).map((name) => [name]))
    const words = foldWords(code).match(word) ?? []
    if (words.length >= 2 && words.length <= mostParts && isCode(code, words)) codes.push(words)
  }
  return [...new Map(codes.map((code) => [code.join(' '), code])).values()]
}

/** "and/or", "well-known" and "e.g." are none. */
function isCode(text: string, words: string[]): boolean {
  if (isPaired(text) || words.every((one) => one.length === 1 && !digit.test(one))) return false
  return digit.test(text) || joined.test(text) || path.test(text) || flag.test(text)
}

/** Words for names that only their signs tell from other words: "c++", "c#" and ".net". */
export function signedNames(text: string): string[] {
  const names: string[] = []
  if (text.includes('++') || text.includes('#'))
    for (const { 0: signs, index } of text.matchAll(plusOrSharp)) {
      const [name] = text.slice(Math.max(0, index - longestSignedName - 1), index).match(nameBefore) ?? []
      if (name) names.push(foldWords(name) + (signs === '#' ? 'sharp' : 'plusplus'))
    }
  if (text.includes('.')) for (const [, name = ''] of text.matchAll(leadingDot)) names.push(`dot${foldWords(name)}`)
  return names
}

/** Parts of a name by its humps and digits ("parseInt", "HX7731"); none when it has one part only. */
export function partsOf(name: string): string[] {
  if (name.length > longestName) return []
  const parts = name.split(bounds)
  return parts.length > 1 && parts.length <= mostParts ? parts : []
}
