import type { KeywordTerm } from './keyword-terms'
import type { Vocabulary } from './vocabulary'

const lettersOnly = /^\p{L}+$/u
/** Shorter words have parts by chance. */
const minCompoundLength = 7
const minPartLength = 4
/** Minimum share of a word that a related word starts with. */
const minSharedStart = 0.5
/** Letters that suffice, however long the word is. */
const maxStartLength = 5
/** A beginning that more terms share says too little. */
const maxTerms = 40
const maxParts = 3
/** Prefixes that make another verb or participle of a word, or its opposite; folded. */
const prefixes = [
  ...['ab', 'an', 'auf', 'aus', 'be', 'ein', 'ent', 'er', 'ge', 'un', 'ver', 'vor', 'zer', 'ont'],
  ...['do', 'na', 'nad', 'nie', 'ne', 'ob', 'od', 'po', 'pod', 'pri', 'prze', 'przy', 'roz', 'vy', 'wy', 'za'],
  ...['вы', 'до', 'за', 'на', 'не', 'об', 'от', 'пере', 'по', 'под', 'при', 'про', 'раз', 'рас'],
].sort((first, second) => second.length - first.length)

/** A folded word without its verbal prefix; null if it has none. */
export function withoutPrefix(word: string): string | null {
  const prefix = prefixes.find((text) => word.startsWith(text) && word.length - text.length >= minPartLength)
  return prefix === undefined ? null : word.slice(prefix.length)
}

/** Whether two folded words start alike, as inflections and compounds of one word do. */
export function startAlike(word: string, other: string): boolean {
  const shorter = word.length < other.length ? word : other
  const start = shorter.slice(0, startLength(shorter))
  return start.length >= minPartLength && word.startsWith(start) && other.startsWith(start)
}

/** Words of the collection that are related to one that occurs nowhere, and the terms that find them. */
export interface RelatedWords {
  words: string[]
  terms: KeywordTerm[]
}

/**
 * The words that a folded word which occurs nowhere is made of: the longest that it begins with, and the longest that it
 * ends with. Without any, the words that start as it does, with another prefix or none.
 */
export function findRelated(vocabulary: Vocabulary, word: string): RelatedWords {
  if (!lettersOnly.test(word)) return { words: [], terms: [] }
  const parts = word.length < minCompoundLength ? [] : findWithin(vocabulary, word)
  if (parts.length > 0) return { words: parts, terms: parts.map((part) => ({ kind: 'word', word: part })) }
  return findAlike(vocabulary, word)
}

function findWithin(vocabulary: Vocabulary, word: string): string[] {
  const cuts = Array.from({ length: word.length - minPartLength }, (_, n) => n + 1)
  const ends = cuts.map((cut) => word.slice(cut))
  const starts = cuts.map((cut) => word.slice(0, -cut))
  const known = vocabulary.countWords([...ends, ...starts])
  const longest = (parts: string[]) => parts.find((part) => known.has(part)) ?? []
  return [longest(starts), longest(ends)].flat()
}

/** Finds words by the longest beginning that they share, so that none of them counts more for being rare. */
function findAlike(vocabulary: Vocabulary, word: string): RelatedWords {
  const stems = [word, withoutPrefix(word)].filter((stem) => stem !== null)
  for (let length = startLength(word); length >= minPartLength; length--) {
    const starts = stems.map((stem) => stem.slice(0, length)).filter((start) => start.length >= minPartLength)
    const found = findByStarts(
      vocabulary,
      ['', ...prefixes].flatMap((prefix) => starts.map((start) => prefix + start)),
    )
    if (found.words.length > 0) return found
  }
  return { words: [], terms: [] }
}

function findByStarts(vocabulary: Vocabulary, starts: string[]): RelatedWords {
  const terms = starts.flatMap((start) => vocabulary.termsStartingWith(start, maxTerms + 1))
  if (terms.length > maxTerms) return { words: [], terms: [] }
  const frequencies = vocabulary.countWords(terms.filter((term) => lettersOnly.test(term)))
  const words = [...frequencies].sort(([, count], [, otherCount]) => otherCount - count).map(([term]) => term)
  const used = starts.filter((start) => words.some((term) => term.startsWith(start)))
  return { words: words.slice(0, maxParts), terms: used.map((start) => ({ kind: 'prefix', word: start })) }
}

/** Letters of a word that identify it: compounds and inflections share no more. */
function startLength(word: string): number {
  return Math.max(minPartLength, Math.min(maxStartLength, Math.ceil(minSharedStart * word.length)))
}
