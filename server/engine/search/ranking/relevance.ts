import { headingSeparator } from '../../chunking/embedding-text'
import { foldText } from '../../language/normalize-text'
import type { ParsedQuery } from '../../ports/parsed-query'
import type { QueryExpansion } from '../../ports/search-index'
import type { TokenCounter } from '../query/token-counter'
import { createLineMatcher, type LineMatch } from './line-match'
import { queryTerms, type TermForm, TermMatcher } from './term-coverage'
import { languageFamiliarity } from './vector-weight'

export interface Relevance extends LineMatch {
  /**
   * From 0 to 1, comparable between queries; what a threshold is compared with. In a language the embedding model knows,
   * it combines cosine and weighted term coverage; in one it does not know, and without an embedding, it is the smoothed
   * term coverage; in between, a mixture by the tokens per word of query and fragment.
   */
  similarity: number
  /** Mean coverage of the query terms, also by parts of words; corrected terms count less. */
  coverage: number
  /** Mean coverage by whole words, each term weighted by its tokens: rare words have more of them. Parts order hits badly. */
  weightedCoverage: number
  /** How closely the title or a heading matches the query, from 0 to 1. */
  headingMatch: number
}

export interface PassageText {
  title: string
  /** Headings above the text, and within it, each joined by ' / '. */
  headings: string
  innerHeadings: string
  text: string
}

/** A text of which is known how well the model knows its language. */
export interface MeasuredText extends PassageText {
  /** As `tokensPerWordOf` measures it; null without words. Read only with a cosine. */
  tokensPerWord: number | null
}

/** A query word in a form in which it was searched. */
export interface SearchedForm extends TermForm {
  /** Tokens of the embedding model in the word, at least 1: rare words have more of them. */
  tokens: number
}

export type RelevanceScorer = (cosine: number | null, passage: MeasuredText) => Relevance

export type RelevanceQuery = Pick<
  ParsedQuery,
  'words' | 'identifiers' | 'tokensPerWord' | 'isEnglish' | 'isReadByLetters'
>

/** Chosen on the sets of docs/figures.md: weighing coverage .3 retains more answers than the cosine alone. */
const cosineWeight = 0.7

/** Chosen on the sets of docs/figures.md, so that at a threshold of .3 each keeps 93 % of its answers. */
const liftExponent = 0.7

const word = /[\p{L}\p{N}]+/gu
/** Weight of a word that corrects a misspelled one. */
const correctionWeight = 0.6
/** Share by which the cosine of a query that consists of corrected words is reduced. */
const correctionDoubt = 0.1
/** The fragment's language weighs as much as this many words of the query, which can be rare words or names. */
const fragmentWords = 4
const maxWords = 64

/**
 * Measures how relevant passages are to a query. `meant` is the text of the query with its corrections; `forms` are its
 * words as they were searched.
 */
export function createRelevanceScorer(
  meant: string,
  { words, identifiers, tokensPerWord, isEnglish, isReadByLetters }: RelevanceQuery,
  forms: SearchedForm[],
): RelevanceScorer {
  const terms = new TermMatcher(queryTerms(forms))
  const matchLines = createLineMatcher(meant, identifiers)
  const certainty = 1 - correctionDoubt * mean(forms.map(({ weight = 1 }) => Number(weight < 1)))
  const tokens = forms.map((form) => form.tokens)
  const headingMatches = new Map<string, number>()

  return (cosine, passage) => {
    const { title, headings, innerHeadings, text } = passage
    const foldedText = foldText(text)
    const covered = terms.coverageOf(`${title}\n${headings}\n${text}`)
    const joined = terms.coverageByParts(covered, `${foldText(title)}\n${foldText(headings)}\n${foldedText}`, isEnglish)
    const coverage = mean(joined)
    const familiarity = cosine === null ? 0 : familiarityWith(passage)
    const similarity =
      familiarity * combine(certainty * Math.min(1, Math.max(0, cosine ?? 0)), weightedMean(joined, tokens)) +
      (1 - familiarity) * smoothed(isReadByLetters ? lifted(coverage) : coverage, joined.length)
    const weightedCoverage = weightedMean(covered, tokens)
    const names = [title, ...headings.split(headingSeparator), ...innerHeadings.split(headingSeparator)]
    const headingMatch = Math.max(...names.map(knownMatchOf))
    return { similarity, coverage, weightedCoverage, headingMatch, ...matchLines(foldedText) }
  }

  /** How well the model knows the language of query and text, from 0 to 1. */
  function familiarityWith({ tokensPerWord: ofText }: MeasuredText): number {
    if (ofText === null) return languageFamiliarity(tokensPerWord)
    return languageFamiliarity((words.length * tokensPerWord + fragmentWords * ofText) / (words.length + fragmentWords))
  }

  /** Fragments of a page share its title and headings. */
  function knownMatchOf(heading: string): number {
    const known = headingMatches.get(heading)
    if (known !== undefined) return known
    const match = matchOf(heading)
    headingMatches.set(heading, match)
    return match
  }

  /** Harmonic mean of the share of the query in a heading, and of the share of the heading in the query. */
  function matchOf(heading: string): number {
    const inHeading = weightedMean(terms.coverageOf(heading), tokens)
    const headingWords = inHeading === 0 ? [] : (heading.match(word) ?? [])
    if (headingWords.length === 0) return 0
    const inQuery = mean(new TermMatcher(queryTerms(headingWords)).coverageOf(meant))
    return (2 * inHeading * inQuery) / (inHeading + inQuery)
  }
}

/** The query words in the forms in which they were searched: those that keyword search expanded, in their expanded forms. */
export function searchedForms(
  words: string[],
  expansions: ReadonlyMap<string, QueryExpansion>,
  tokenizer: TokenCounter,
): SearchedForm[] {
  const forms = words.slice(0, maxWords).flatMap((typed): TermForm[] => {
    const expansion = expansions.get(foldText(typed))
    if (!expansion) return [{ word: typed }]
    const { words: expanded, reason } = expansion
    if (reason === 'prefix') return [{ word: typed, isPrefix: true }]
    return expanded.map((text) => ({ word: text, weight: reason === 'misspelling' ? correctionWeight : 1 }))
  })
  // The last form of a word wins: the word itself, if the query has it both misspelled and correct.
  const correctionsFirst = forms.toSorted((first, second) => (first.weight ?? 1) - (second.weight ?? 1))
  const unique = new Map(correctionsFirst.map((form) => [foldText(form.word), form])).values()
  return Array.from(unique, (form) => ({ ...form, tokens: Math.max(1, tokenizer.count(form.word)) }))
}

/**
 * Full coverage of one or two terms proves less than that of many, which rarely co-occur by chance. Coverage above a half
 * is pulled towards it by the estimator of R. Krichevsky and V. Trofimov (1981): 1 of 1 is .75, 4 of 4 are .9.
 */
function smoothed(coverage: number, terms: number): number {
  return Math.min(coverage, (coverage * terms + 0.5) / (terms + 1))
}

/**
 * Languages whose script the model does not read, such as Arabic and Chinese, attach function words to others, so that a
 * text that answers contains fewer of the terms of a question. Coverage below a half is raised towards it.
 */
function lifted(coverage: number): number {
  return coverage < 0.5 ? 0.5 * (2 * coverage) ** liftExponent : coverage
}

/** The row of a table has a low cosine with a question about it, but its terms; a paraphrase has only its cosine. */
function combine(cosine: number, coverage: number): number {
  return Math.max(cosine, cosineWeight * cosine + (1 - cosineWeight) * coverage)
}

function mean(values: number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return values.length === 0 ? 0 : sum / values.length
}

function weightedMean(values: number[], weights: number[]): number {
  let [sum, total] = [0, 0]
  for (let n = 0; n < values.length; n++) {
    const weight = weights[n] ?? 0
    sum += (values[n] ?? 0) * weight
    total += weight
  }
  return total === 0 ? 0 : sum / total
}
