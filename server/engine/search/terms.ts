import { LRUCache } from 'lru-cache'
import { stemmer } from 'stemmer'
import { detachString } from '../language/detach-string'
import { bigrams, foldText, isUnsegmented, normalizeUnicode, splitWords, wordPrefix } from '../language/normalize-text'
import { nameParts, symbolNames } from './query/identifiers'

/** The terms of a fragment by column: of its title, headings and text. */
export interface FragmentTerms {
  words: string[][]
  /** Stems, prefixes and bigrams. */
  derived: string[][]
}

/** The terms of one word. */
interface WordTerms {
  /** Null in unsegmented scripts, which are indexed by bigrams. */
  word: string | null
  stems: string[]
  prefix: string | null
  isEnglishFunctionWord: boolean
}

/** A site repeats most of its words. */
const cache = new LRUCache<string, WordTerms>({ max: 60_000 })
const maxCachedLength = 30
/** Shared, because most words have none. */
const noStems: string[] = []
/** Longer words are data, and indexed by as many letters. */
const maxTermLength = 64
/** Words that identify English: hardly any other language uses one of them often. */
const englishFunctionWords = new Set('the of and with that this are from which you your can will'.split(' '))
/** Maximum number of words per function word in an English text; about six on average. */
const maxWordsPerFunctionWord = 16
/** Marks a prefix. No word contains it. */
export const prefixMark = '~'

/**
 * The terms of a fragment. Each word is indexed folded, and among the stems by its English stem (M. F. Porter, 1980) if
 * that differs. Unless the text is English, the stems also have its first five letters. For camelCase names and names with
 * digits they have the stems of the parts ("createServer" gives "creat", "server" and "createserv"). Unsegmented scripts
 * are indexed as bigrams and by the last character, so that each character starts a term.
 */
export function termsOfFragment({
  title,
  headings,
  text,
}: {
  title: string
  headings: string
  text: string
}): FragmentTerms {
  const parts = [title, headings, text].map(normalizeUnicode).map((part) => {
    const terms = splitWords(part).map((word) => cache.get(word) ?? addToCache(word))
    return { part, terms }
  })
  const english = isEnglish(parts[2]?.terms ?? [])
  return {
    words: parts.map(({ part, terms }) => {
      const words = symbolNames(part)
      for (const { word } of terms) if (word !== null) words.push(word)
      return words
    }),
    derived: parts.map(({ terms }) => {
      const all: string[] = []
      for (const { stems, prefix } of terms) {
        for (const stem of stems) all.push(stem)
        if (!english && prefix !== null) all.push(prefix)
      }
      return all
    }),
  }
}

function addToCache(word: string): WordTerms {
  const terms = termsOfWord(word)
  if (word.length <= maxCachedLength) cache.set(detachString(word), terms)
  return terms
}

/** Decided by the words, because the language a page declares is often that of its template. */
function isEnglish(terms: WordTerms[]): boolean {
  let functionWords = 0
  for (const { isEnglishFunctionWord } of terms) if (isEnglishFunctionWord) functionWords++
  return functionWords > 1 && functionWords * maxWordsPerFunctionWord >= terms.length
}

const plainWord = /^[A-Z]?[a-z]+$/

function termsOfWord(written: string): WordTerms {
  const isPlain = plainWord.test(written)
  const folded = cutWord(isPlain ? written.toLowerCase() : foldText(written))
  if (!isPlain && isUnsegmented(written))
    return {
      word: null,
      stems: bigramsAndLast(foldText(written)).map(detachString),
      prefix: null,
      isEnglishFunctionWord: false,
    }
  const stem = stemOf(folded)
  const parts = isPlain ? [] : nameParts(written).map((part) => stemOf(cutWord(foldText(part))))
  const prefix = prefixTerm(folded)
  const stems = stem === folded ? parts : [...parts, stem]
  return {
    word: detachString(folded),
    stems: stems.length === 0 ? noStems : stems.map(detachString),
    prefix: prefix === null ? null : detachString(prefix),
    isEnglishFunctionWord: englishFunctionWords.has(folded),
  }
}

function bigramsAndLast(word: string): string[] {
  return [...bigrams(word), ...[...word].slice(1).slice(-1)]
}

/** A folded word as it is indexed. */
export function cutWord(folded: string): string {
  return folded.length > maxTermLength ? folded.slice(0, maxTermLength).toWellFormed() : folded
}

/** The English stem of a folded word. */
export function stemOf(folded: string): string {
  return stemmer(folded)
}

/** The term for the prefix of a folded word; null if the word is too short to have one. */
export function prefixTerm(folded: string): string | null {
  const prefix = wordPrefix(folded)
  return prefix === null ? null : prefix + prefixMark
}
