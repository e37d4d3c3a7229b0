import { wordPrefix } from '../../language/normalize-text'
import { alphabetOf, editDistance, neighborsOf } from './edit-distance'
import { isLikelyTypo } from './keyboard-distance'
import type { Vocabulary } from './vocabulary'

/** Shorter words have too many neighbors. */
const minLength = 5
const maxLength = 24
/** Length from which a word may have two errors. */
const minLengthForTwoErrors = 8
/** Below this length, many words are one letter away from another common word: only likely typing errors count. */
const minUnambiguousLength = 7

const maxCorrections = 2
/** Longest inflectional ending, and the minimum share of a word without it. */
const maxEnding = 3
const minStemShare = 0.7
/** One wrong letter, and an ending. */
const maxFormDistance = 1 + maxEnding
/** Prefixes that are tried for an inflected form. */
const maxPrefixes = 6
const maxForms = 30
/** Leading letters that are correct in a word with two errors. */
const certainPrefixLength = 4

/**
 * Words of the collection that a misspelled folded word may stand for, most likely first: at edit distance 1, or 2 for a
 * long word. In inflected languages the intended form may not occur; then other forms of it.
 */
export function findCorrections(vocabulary: Vocabulary, word: string, isEnglish: boolean): string[] {
  if (!isCorrectable(word)) return []
  const neighbors = neighborsOf(word).filter(
    (text) => word.length >= minUnambiguousLength || (text[0] === word[0] && isLikelyTypo(text, word)),
  )
  const known = vocabulary.countWords(neighbors)
  if (known.size > 0) return bestCandidates(known, word, maxCorrections)
  const forms = isEnglish ? [] : findForms(vocabulary, word, neighbors)
  if (forms.length > 0) return forms.slice(0, maxCorrections)
  if (word.length < minLengthForTwoErrors) return []
  const terms = vocabulary.termsStartingWith(word.slice(0, certainPrefixLength))
  const distant = terms.filter((term) => editDistance(term, word, 2) <= 2)
  return bestCandidates(vocabulary.countWords(distant), word, maxCorrections)
}

/** For each likely prefix of the intended word, the nearest word of the collection that starts with it. */
function findForms(vocabulary: Vocabulary, word: string, neighbors: string[]): string[] {
  const own = wordPrefix(word)
  const prefixes = new Set(neighbors.flatMap((neighbor) => wordPrefix(neighbor) ?? []))
  const known = vocabulary.countPrefixes([...prefixes].filter((prefix) => prefix !== own))
  const candidates = bestCandidates(known, word, maxPrefixes).map((prefix) =>
    vocabulary
      .termsStartingWith(prefix)
      .filter((term) => !term.endsWith('~'))
      .map((term) => ({ form: term, distance: editDistance(term, word, maxFormDistance) }))
      .filter(({ form, distance }) => distance <= maxFormDistance && isNearForm(form, word))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, maxForms),
  )
  // Terms include stems, which may occur nowhere as words.
  const words = vocabulary.countWords(candidates.flat().map(({ form }) => form))
  return candidates.flatMap((forms) => forms.find(({ form }) => words.has(form))?.form ?? [])
}

/** Whether two words differ in at most one letter, apart from their endings. */
function isNearForm(form: string, word: string): boolean {
  const stems = (text: string) =>
    Array.from({ length: maxEnding + 1 }, (_, cut) => text.slice(0, text.length - cut)).filter(
      (stem) => stem.length >= minStemShare * text.length,
    )
  return stems(form).some((stem) => stems(word).some((text) => editDistance(stem, text, 1) <= 1))
}

/** The first letter is rarely wrong; among the others, the more frequent word is the more likely one. */
function bestCandidates(frequencies: Map<string, number>, word: string, limit: number): string[] {
  const sharesFirstLetter = (text: string) => Number(text[0] === word[0])
  return [...frequencies]
    .sort(
      ([text, count], [otherText, otherCount]) =>
        sharesFirstLetter(otherText) - sharesFirstLetter(text) || otherCount - count || (text < otherText ? -1 : 1),
    )
    .slice(0, limit)
    .map(([term]) => term)
}

/** Letters of one alphabet only. */
function isCorrectable(word: string): boolean {
  return word.length >= minLength && word.length <= maxLength && alphabetOf(word) !== undefined
}
