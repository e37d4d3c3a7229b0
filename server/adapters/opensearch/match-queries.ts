import type { KeywordTerm } from '../../engine/search/expansion/keyword-terms'
import { foundMatches, matchesOf, type TermMatch } from '../../engine/search/expansion/term-matches'
import { cutWord } from '../../engine/search/terms'
import type { TermField, TermStatistics } from './term-statistics'

export type Query = Record<string, unknown>

/** A term of a query with what it matches: fragments, and queries that score them. */
export interface MatchedTerm {
  term: KeywordTerm
  matches: { weight: number; count: number; scored(weight: number): Query }[]
  count: number
}

/** Counts the fragments that each query matches. */
export type CountQueries = (queries: Query[]) => Promise<number[]>

/**
 * Finds what terms match. The server weighs terms by the documents of all collections; the boosts replace that by their
 * frequency within the collection, as the index on one machine does.
 */
export async function matchTerms(
  terms: KeywordTerm[],
  statistics: TermStatistics,
  count: CountQueries,
  { isEnglish, bm25Factor }: { isEnglish: boolean; bm25Factor: number },
): Promise<MatchedTerm[]> {
  const wanted = terms.map((term) => matchesOf(term, { isEnglish }))
  await statistics.load(wanted.flat().flatMap(termsOf))
  const combined = wanted.flat().filter((match) => isCombined(match, statistics))
  const counts = combined.length === 0 ? [] : await count(combined.map((match) => queryOf(match, statistics, 1)))
  const countOfCombined = new Map(combined.map((match, n) => [match, counts[n] ?? 0]))
  return terms.map((term, n) => {
    const matches = foundMatches((wanted[n] ?? []).map(found))
    return { term, matches, count: matches.reduce((sum, match) => sum + match.count, 0) }
  })

  function found(match: TermMatch) {
    const count = countOfCombined.get(match) ?? countOf(match, statistics)
    const scored = (weight: number) =>
      queryOf(
        match,
        statistics,
        (weight * bm25Factor * idf(count, statistics.fragments())) / serverWeight(match, statistics),
      )
    return { weight: match.weight, count, scored }
  }
}

function termsOf(match: TermMatch): string[] {
  switch (match.kind) {
    case 'word':
      return [match.word]
    case 'term':
      return [match.term]
    case 'without':
      return [match.term, match.excluded]
    case 'starting-with':
      return []
    case 'phrase':
      return match.words
  }
}

/** Whether only the server can count the fragments, and there may be some. */
function isCombined(match: TermMatch, statistics: TermStatistics): boolean {
  switch (match.kind) {
    case 'starting-with':
      return true
    case 'phrase':
      return match.words.every((word) => statistics.frequencies(word).wordFragments > 0)
    case 'without':
      return statistics.frequencies(match.term).fragments > 0 && statistics.frequencies(match.excluded).fragments > 0
    default:
      return false
  }
}

function countOf(match: TermMatch, statistics: TermStatistics): number {
  if (match.kind === 'word') return statistics.frequencies(match.word).wordFragments
  if (match.kind === 'term' || match.kind === 'without') return statistics.frequencies(match.term).fragments
  return 0
}

function queryOf(match: TermMatch, { tag }: TermStatistics, boost: number): Query {
  const term = (field: TermField, text: string) => ({ term: { [field]: { value: tag + cutWord(text), boost } } })
  switch (match.kind) {
    case 'word':
      return term('words', match.word)
    case 'term':
      return term('terms', match.term)
    case 'without':
      return { bool: { must: [term('terms', match.term)], must_not: [term('terms', match.excluded)] } }
    case 'starting-with':
      return {
        constant_score: {
          filter: { prefix: { [match.wordsOnly ? 'words' : 'terms']: tag + cutWord(match.start) } },
          boost,
        },
      }
    case 'phrase':
      return { match_phrase: { words: { query: match.words.map((word) => tag + cutWord(word)).join(' '), boost } } }
  }
}

/** What the server itself multiplies a score by. */
function serverWeight(match: TermMatch, statistics: TermStatistics): number {
  const idfOf = (count: number, field: TermField) => {
    const documents = Math.max(count, statistics.documents(field))
    return Math.log(1 + (documents - count + 0.5) / (count + 0.5))
  }
  switch (match.kind) {
    case 'word':
      return idfOf(statistics.frequencies(match.word).wordFragments, 'words')
    case 'term':
    case 'without':
      return idfOf(statistics.frequencies(match.term).fragments, 'terms')
    case 'starting-with':
      return 1
    case 'phrase':
      return match.words.reduce((sum, word) => sum + idfOf(statistics.frequencies(word).wordFragments, 'words'), 0)
  }
}

/** The inverse document frequency of the index on one machine. */
function idf(count: number, fragments: number): number {
  return Math.max(1e-6, Math.log((Math.max(0, fragments - count) + 0.5) / (count + 0.5)))
}
