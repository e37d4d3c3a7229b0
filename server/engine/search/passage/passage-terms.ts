import { foldText, isUnsegmented, stripArabicArticle } from '../../language/normalize-text'
import { nameParts } from '../query/identifiers'
import { LikelyWords } from '../ranking/likely-words'
import type { SearchedForm } from '../ranking/relevance'
import { queryTerms } from '../ranking/term-coverage'
import { termSimilarity } from '../ranking/term-similarity'
import type { Span } from './sentences'

/** A word of the query, a part of one, or two neighboring characters of one in an unsegmented script; folded. */
export interface PassageTerm {
  text: string
  isBigram: boolean
  /** Whether a term of four letters matches longer words that start with it. */
  isPrefix: boolean
  /** How much a passage gains by it: rare words have more tokens, and corrections count less. */
  weight: number
}

/** A word of a text that matches a term. */
export interface TermMatch extends Span {
  /** Index of the term. */
  term: number
  /** Similarity from 0 to 1: 1 for the term itself and its forms, less for words that only share its first letters. */
  similarity: number
  /** Whether it is highlighted: the term itself, its forms, and longer words that start with it. */
  isHighlighted: boolean
}

/** What the words of texts are to the terms of a query. */
interface Comparisons {
  likely: LikelyWords
  /** By written word. */
  matches: Map<string, Omit<TermMatch, 'start' | 'end'>[]>
}

/** The comparisons with each list of terms that is in use. */
const comparisonsOf = new WeakMap<PassageTerm[], Comparisons>()

/** The terms by which passages are chosen. `forms` are the query words as they were searched. */
export function passageTerms(forms: SearchedForm[]): PassageTerm[] {
  return forms.flatMap((form) =>
    queryTerms([form]).flatMap(({ bigrams, parts, weight, isPrefix }) => {
      const isBigram = bigrams.length > 0
      const texts = isBigram ? bigrams : parts
      return texts.map((text) => ({ text, isBigram, isPrefix, weight: (form.tokens * weight) / texts.length }))
    }),
  )
}

/** The words of a text that match terms, in the order of the text. */
export function findTermMatches(text: string, terms: PassageTerm[]): TermMatch[] {
  let comparisons = comparisonsOf.get(terms)
  if (!comparisons) {
    comparisons = { likely: new LikelyWords(terms.map((term) => term.text)), matches: new Map() }
    comparisonsOf.set(terms, comparisons)
  }
  const found: TermMatch[] = []
  for (const { word, index } of comparisons.likely.find(text)) {
    if (isUnsegmented(word)) {
      found.push(...matchRuns(word, index, terms))
      continue
    }
    let matches = comparisons.matches.get(word)
    if (!matches) {
      matches = compareWord(word, terms)
      comparisons.matches.set(word, matches)
    }
    for (const match of matches) found.push({ ...match, start: index, end: index + word.length })
  }
  return found
}

/** Matches the parts of a word such as 'USB端子' in their own scripts, and the pairs of the whole word. */
function matchRuns(written: string, start: number, terms: PassageTerm[]): TermMatch[] {
  let position = start
  const words = runsOf(written).flatMap((run) => {
    const from = position
    position += run.length
    const span = { start: from, end: position }
    return isUnsegmented(run) ? [] : compareWord(run, terms).map((match) => ({ ...match, ...span }))
  })
  return [...words, ...matchBigrams(written, start, terms)].sort((first, second) => first.start - second.start)
}

/** Splits a word where a script without spaces begins or ends. */
function runsOf(written: string): string[] {
  const runs: string[] = []
  let isLastUnsegmented: boolean | null = null
  for (const character of written) {
    const kind = isUnsegmented(character)
    if (kind === isLastUnsegmented) runs[runs.length - 1] += character
    else runs.push(character)
    isLastUnsegmented = kind
  }
  return runs
}

function compareWord(written: string, terms: PassageTerm[]): Omit<TermMatch, 'start' | 'end'>[] {
  const forms = [written, ...nameParts(written)].map((form) => stripArabicArticle(foldText(form)))
  const matches: Omit<TermMatch, 'start' | 'end'>[] = []
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index]
    if (!term || term.isBigram) continue
    let similarity = 0
    let isHighlighted = false
    for (const form of forms) {
      similarity = Math.max(similarity, termSimilarity(term.text, form, term.isPrefix))
      isHighlighted ||= form.startsWith(term.text)
    }
    if (similarity > 0) matches.push({ term: index, similarity, isHighlighted: similarity === 1 || isHighlighted })
  }
  return matches
}

function matchBigrams(run: string, start: number, terms: PassageTerm[]): TermMatch[] {
  const characters = [...run]
  let position = start
  return characters.flatMap((character, n) => {
    const pair = character + (characters[n + 1] ?? '')
    const from = position
    position += character.length
    return terms.flatMap(({ text, isBigram }, term) => {
      const matched = isBigram && [pair, character].find((part) => foldText(part) === text)
      return matched ? { start: from, end: from + matched.length, term, similarity: 1, isHighlighted: true } : []
    })
  })
}
