import type SQLite from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import { foldText } from '../../engine/language/normalize-text'
import type { ParsedQuery } from '../../engine/ports/parsed-query'
import type { KeyScore, KeywordHits, QueryExpansion } from '../../engine/ports/search-index'
import { expandMissingWords } from '../../engine/search/expansion/expand-query'
import { termsOf } from '../../engine/search/expansion/keyword-terms'
import { createDocumentFrequencies, type DocumentFrequencies } from './document-frequency'
import { type CompiledTerm, createTermCompiler, joinedMatch } from './match-expressions'
import type { CountedTerm } from './query-plan'
import { addScores, rankTerms } from './rank'
import { createStatements, type Statements, type Subset, type WeightedMatch } from './statements'
import { partitionPrefix, partitionTerm } from './terms'
import { createVocabulary } from './vocabulary'

export interface KeywordRequest {
  collectionId: string
  query: ParsedQuery
  limit: number
  /** Keys of the fragments to search; null for all of the collection. */
  among: Float64Array | null
}

const maxWords = 32
const maxTerms = 64
const maxCachedPartitions = 10_000

/** Searches on a connection of its own, whose statements it prepares. */
export function createKeywordSearch(connection: SQLite.Database): (request: KeywordRequest) => KeywordHits {
  const statements = createStatements(connection)
  const frequencies = createDocumentFrequencies(connection)
  const partitions = new LRUCache<string, number>({ max: maxCachedPartitions })

  return ({ collectionId, query, limit, among }) => {
    const partition = partitions.get(collectionId) ?? statements.partitionOf(collectionId)
    if (partition === undefined) return { hits: [], expansions: new Map() }
    // The number of a collection never changes.
    partitions.set(collectionId, partition)
    const subset = among && { size: among.length, keys: JSON.stringify([...among]) }
    return searchKeywords({ statements, frequencies }, partitionPrefix(partition), query, limit, subset)
  }
}

/** Searches the collection whose terms start with `prefix`, best first. See docs/decisions/keyword-ranking.md. */
function searchKeywords(
  { statements, frequencies }: { statements: Statements; frequencies: DocumentFrequencies },
  prefix: string,
  query: ParsedQuery,
  limit: number,
  subset: Subset | null,
): KeywordHits {
  const compile = createTermCompiler(prefix, query)
  const terms = distinct(termsOf(query.words.slice(0, maxWords)).map(compile)).slice(0, maxTerms)
  const identifiers = query.identifiers.map((words) => compile({ kind: 'identifier', words }))
  if (terms.length + identifiers.length === 0) return { hits: [], expansions: new Map() }

  const partition = `place : "${partitionTerm(prefix)}"`
  const count = (batch: CompiledTerm[]) => countTerms(frequencies, partition, batch)
  const [size = 0] = frequencies.count([partition], partition)
  const counted = count(terms)
  const countedIdentifiers = count(identifiers)

  const vocabulary = createVocabulary(statements, prefix)
  const missing = expandMissingWords(vocabulary, query, wordsOf(counted.filter((term) => term.count === 0)))
  const expanded = count(missing.terms.map(compile))
  const joined = expandJoinedIdentifiers(prefix, countedIdentifiers)
  const expansions = new Map([...missing.expansions, ...joined])

  const found = countedIdentifiers.filter((identifier) => identifier.count > 0)
  const searched = found.length === 0 ? counted : withoutParts(counted, countedIdentifiers)
  // Cached frequencies of common terms may be larger than the current size.
  const counts = [...counted, ...countedIdentifiers].flatMap(({ matches }) => matches.map((match) => match.count))
  const scope = { fragments: Math.max(size, ...counts), totalFragments: frequencies.total(), subset }
  const ranked = rankTerms(statements, scope, [...searched, ...expanded, ...found], limit)
  const hits = preferIdentifiers(statements, ranked, found, identifierShare(query, countedIdentifiers))
  return { hits, expansions }
}

/** Terms that compile to the same expressions count once. */
function distinct(terms: CompiledTerm[]): CompiledTerm[] {
  return [...new Map(terms.map((term) => [term.matches.map(({ match }) => match).join(), term])).values()]
}

/**
 * Counts the fragments of each term, and drops expressions without any. English texts are indexed without prefixes: there
 * the expressions that remain take over the weight.
 */
function countTerms(frequencies: DocumentFrequencies, partition: string, terms: CompiledTerm[]): CountedTerm[] {
  const all = terms.flatMap(({ matches }) => matches.map(({ match }) => match))
  const counts = all.length === 0 ? [] : frequencies.count(all, partition)
  let next = 0
  return terms.map(({ term, matches }) => {
    const counted = matches.map((match) => ({ ...match, count: counts[next++] ?? 0 }))
    const found = counted.filter((match) => match.count > 0)
    const [before, after] = [maxWeight(counted), maxWeight(found)]
    const weighted = found.map((match) => ({ ...match, weight: (match.weight * before) / after }))
    return { term, matches: weighted, count: weighted.reduce((sum, match) => sum + match.count, 0) }
  })
}

function maxWeight(matches: WeightedMatch[]): number {
  return Math.max(0, ...matches.map(({ weight }) => weight))
}

function wordsOf(terms: CountedTerm[]): string[] {
  return terms.flatMap(({ term }) => (term.kind === 'word' ? term.word : []))
}

function partsOf(identifiers: CountedTerm[]): Set<string> {
  return new Set(identifiers.flatMap(({ term }) => (term.kind === 'identifier' ? term.words : [])))
}

/** Single letters that are part of an identifier match nothing useful by themselves. */
function withoutParts(terms: CountedTerm[], identifiers: CountedTerm[]): CountedTerm[] {
  const parts = partsOf(identifiers)
  return terms.filter(({ term }) => !(term.kind === 'word' && term.word.length === 1 && parts.has(term.word)))
}

/** Returns, by part, the identifiers that occur written as one word. */
function expandJoinedIdentifiers(prefix: string, identifiers: CountedTerm[]): Map<string, QueryExpansion> {
  const expansions = new Map<string, QueryExpansion>()
  for (const { term, matches } of identifiers) {
    if (term.kind !== 'identifier' || term.words.length < 2) continue
    const joined = joinedMatch(prefix, term.words)
    if (!matches.some(({ match }) => match === joined)) continue
    for (const part of term.words) expansions.set(part, { words: [term.words.join('')], reason: 'parts' })
  }
  return expansions
}

/** Share of the query's words that are parts of its identifiers. */
function identifierShare({ words }: ParsedQuery, identifiers: CountedTerm[]): number {
  const parts = partsOf(identifiers)
  const covered = words.map(foldText).filter((word) => word.split('_').every((part) => parts.has(part)))
  return covered.length / Math.max(1, words.length)
}

/** Puts fragments with a whole identifier before those with its parts, the more the query consists of identifiers. */
function preferIdentifiers(
  statements: Statements,
  hits: KeyScore[],
  identifiers: CountedTerm[],
  share: number,
): KeyScore[] {
  const [best] = hits
  if (identifiers.length === 0 || !best) return hits
  const weight = (best.score * share) / identifiers.length
  const matches = identifiers.flatMap((identifier) => identifier.matches.map(({ match }) => ({ match, weight })))
  const keys = hits.map(({ key }) => key)
  return addScores(hits, statements.sumWeights(matches, keys))
}
