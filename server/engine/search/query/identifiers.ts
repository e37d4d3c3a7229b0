import { foldText, isUnsegmented, normalizeUnicode } from '../../language/normalize-text'

const separator = /[\s,;!?"'<>()[\]{}|]+/u
const word = /[\p{L}\p{N}\p{M}]+/gu
const digit = /\p{N}/u
const joiner = /[_:\\=@.]/u
const path = /^[^\p{L}\p{N}]*\/|\/.*\//u
const flag = /^--?\p{L}/u
const sentenceEnd = /[.:]+$/u
const partBoundary =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{2})(?=\p{N}{2})|(?<=\p{N}{2})(?=\p{L}{2})/u
const plusPlusOrSharp = /\+\+|#(?![\p{L}\p{N}#])/gu
const precedingName = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,30}$/u
const leadingDot = /(?<![\p{L}\p{N}./])\.(\p{L}[\p{L}\p{N}]{1,30})/gu
const maxSymbolNameLength = 30
const maxParts = 12
const maxChunks = 50
/** Longer ones are data rather than identifiers. */
const maxIdentifierLength = 200
const maxNameLength = 60

/**
 * The identifiers in a query, each as the folded words that have to follow one another ("HX-7731", "foo::bar",
 * "/etc/passwd", "v2.1"), or as the single word that `symbolNames` makes of it ("c++").
 */
export function identifiersIn(query: string): string[][] {
  const identifiers: string[][] = []
  for (const chunk of normalizeUnicode(query).split(separator).slice(0, maxChunks)) {
    if (chunk.length > maxIdentifierLength) continue
    const text = chunk.replace(sentenceEnd, '')
    identifiers.push(...symbolNames(text).map((name) => [name]))
    const words = foldText(text).match(word) ?? []
    if (words.length >= 2 && words.length <= maxParts && isIdentifier(text, words)) identifiers.push(words)
  }
  return [...new Map(identifiers.map((identifier) => [identifier.join(' '), identifier])).values()]
}

/** False for "and/or", "well-known" and "e.g.". */
function isIdentifier(text: string, words: string[]): boolean {
  if (isUnsegmented(text) || words.every((item) => item.length === 1 && !digit.test(item))) return false
  return digit.test(text) || joiner.test(text) || path.test(text) || flag.test(text)
}

/** Searchable words for names that only their punctuation distinguishes: "c++", "c#" and ".net". */
export function symbolNames(text: string): string[] {
  const names: string[] = []
  if (text.includes('++') || text.includes('#'))
    for (const { 0: symbol, index } of text.matchAll(plusPlusOrSharp)) {
      const [name] = text.slice(Math.max(0, index - maxSymbolNameLength - 1), index).match(precedingName) ?? []
      if (name) names.push(foldText(name) + (symbol === '#' ? 'sharp' : 'plusplus'))
    }
  if (text.includes('.')) for (const [, name = ''] of text.matchAll(leadingDot)) names.push(`dot${foldText(name)}`)
  return names
}

/** The parts of a camelCase name or of one with digits ("parseInt", "HX7731"). Empty if it has a single part. */
export function nameParts(name: string): string[] {
  if (name.length > maxNameLength) return []
  const parts = name.split(partBoundary)
  return parts.length > 1 && parts.length <= maxParts ? parts : []
}
