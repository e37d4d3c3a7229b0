import { foldText } from '../../language/normalize-text'
import type { ParsedQuery } from '../../ports/parsed-query'
import { type KeywordTerm, termsOf } from './keyword-terms'

type Identifier = Extract<KeywordTerm, { kind: 'identifier' }>

export interface QueryTerms {
  /** Each once. */
  terms: KeywordTerm[]
  identifiers: Identifier[]
}

const maxWords = 32
const maxTerms = 64

/** The terms of a query. */
export function queryTerms({ words, identifiers }: ParsedQuery): QueryTerms {
  const terms = termsOf(words.slice(0, maxWords))
  return {
    terms: [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()].slice(0, maxTerms),
    identifiers: identifiers.map((parts) => ({ kind: 'identifier', words: parts })),
  }
}

/** Whether a term is a single letter of an identifier, which matches nothing useful by itself. */
export function isLetterOf(identifiers: Identifier[], term: KeywordTerm): boolean {
  return (
    term.kind === 'word' &&
    term.word.length === 1 &&
    identifiers.some(({ words }) => words.some((word) => word === term.word))
  )
}

/** Share of the query's words that are parts of its identifiers. */
export function identifierShare({ words }: ParsedQuery, identifiers: Identifier[]): number {
  const parts = new Set(identifiers.flatMap((identifier) => identifier.words))
  const covered = words.map(foldText).filter((word) => word.split('_').every((part) => parts.has(part)))
  return covered.length / Math.max(1, words.length)
}
