import type SQLite from 'better-sqlite3'
import { foldText } from '../../engine/language/normalize-text'
import type { ParsedQuery } from '../../engine/ports/parsed-query'
import type { QueryExpansion } from '../../engine/ports/search-index'
import { expandMissingWords } from '../../engine/search/expansion/expand-query'
import { type KeywordTerm, termsOf } from '../../engine/search/expansion/keyword-terms'
import { type CollectionSegments, createSegmentReader } from './collection-segments'
import { createTermMatcher, listOf, type MatchedTerm } from './search/match-terms'
import { byScore, type RankedHit, rank } from './search/rank'
import { createTermResolver, type TermResolver } from './search/resolved-terms'
import { createVocabulary } from './search/vocabulary'

export interface KeywordRequest {
  collectionId: string
  query: ParsedQuery
  limit: number
  /** Ordered keys of the fragments to search; null for all of the collection. */
  among: Float64Array | null
}

/** Hits in a form that threads exchange quickly. */
export interface PackedHits {
  /** Best first. */
  keys: Float64Array<ArrayBuffer>
  scores: Float64Array<ArrayBuffer>
  /** By folded query word. */
  expansions: ReadonlyMap<string, QueryExpansion>
}

const maxWords = 32
const maxTerms = 64

/** Searches on a connection of its own, and a cache that threads share. See docs/decisions/keyword-ranking.md. */
export function createKeywordSearch(
  connection: SQLite.Database,
  memory: SharedArrayBuffer,
): (request: KeywordRequest) => PackedHits {
  const reader = createSegmentReader(connection, memory)
  return ({ collectionId, ...request }) =>
    reader.read(collectionId, (collection) => searchKeywords(collection, request)) ?? pack([])
}

function searchKeywords(
  collection: CollectionSegments,
  { query, limit, among }: Omit<KeywordRequest, 'collectionId'>,
): PackedHits {
  const resolver = createTermResolver(collection)
  const match = createTermMatcher(collection, resolver, query)
  const terms = distinct(termsOf(query.words.slice(0, maxWords)))
    .slice(0, maxTerms)
    .map(match)
  const identifiers = query.identifiers.map((words) => match({ kind: 'identifier', words }))
  if (terms.length + identifiers.length === 0) return pack([])

  const missingWords = terms.flatMap(({ term, count }) => (count === 0 && term.kind === 'word' ? term.word : []))
  const missing = expandMissingWords(createVocabulary(resolver), query, missingWords)
  const expanded = missing.terms.map(match)
  const expansions = new Map([...missing.expansions, ...expandJoinedIdentifiers(resolver, identifiers)])

  const found = identifiers.filter(({ count }) => count > 0)
  const searched = found.length === 0 ? terms : withoutParts(terms, identifiers)
  const matches = [...searched, ...expanded, ...found].flatMap((term) => term.matches)
  const ranked = rank(collection, matches, limit, among)
  const hits = preferIdentifiers(collection, ranked, found, identifierShare(query, identifiers))
  return pack(hits, expansions)
}

function pack(hits: RankedHit[], expansions: PackedHits['expansions'] = new Map()): PackedHits {
  const keys = new Float64Array(hits.length)
  const scores = new Float64Array(hits.length)
  for (const [n, { key, score }] of hits.entries()) {
    keys[n] = key
    scores[n] = score
  }
  return { keys, scores, expansions }
}

function distinct(terms: KeywordTerm[]): KeywordTerm[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
}

function partsOf(identifiers: MatchedTerm[]): Set<string> {
  return new Set(identifiers.flatMap(({ term }) => (term.kind === 'identifier' ? term.words : [])))
}

/** Single letters that are part of an identifier match nothing useful by themselves. */
function withoutParts(terms: MatchedTerm[], identifiers: MatchedTerm[]): MatchedTerm[] {
  const parts = partsOf(identifiers)
  return terms.filter(({ term }) => !(term.kind === 'word' && term.word.length === 1 && parts.has(term.word)))
}

/** Returns, by part, the identifiers that occur written as one word. */
function expandJoinedIdentifiers(resolver: TermResolver, identifiers: MatchedTerm[]): Map<string, QueryExpansion> {
  const expansions = new Map<string, QueryExpansion>()
  for (const { term } of identifiers) {
    if (term.kind !== 'identifier' || term.words.length < 2) continue
    const joined = term.words.join('')
    if (resolver.resolve(joined).wordFragments === 0) continue
    for (const part of term.words) expansions.set(part, { words: [joined], reason: 'parts' })
  }
  return expansions
}

/** Share of the query's words that are parts of its identifiers. */
function identifierShare({ words }: ParsedQuery, identifiers: MatchedTerm[]): number {
  const parts = partsOf(identifiers)
  const covered = words.map(foldText).filter((word) => word.split('_').every((part) => parts.has(part)))
  return covered.length / Math.max(1, words.length)
}

/** Puts fragments with a whole identifier before those with its parts, the more the query consists of identifiers. */
function preferIdentifiers(
  { segments }: CollectionSegments,
  hits: RankedHit[],
  identifiers: MatchedTerm[],
  share: number,
): RankedHit[] {
  const [best] = hits
  if (identifiers.length === 0 || !best) return hits
  const weight = (best.score * share) / identifiers.length
  const matches = identifiers.flatMap((identifier) => identifier.matches)
  const counts = segments.map((live, n) => {
    const contained = new Uint8Array(live.segment.header.fragments)
    for (const match of matches)
      for (const fragment of listOf(match, live, n)?.fragments ?? [])
        contained[fragment] = (contained[fragment] ?? 0) + 1
    return contained
  })
  return hits
    .map((hit) => ({ ...hit, score: hit.score + weight * (counts[hit.segment]?.[hit.fragment] ?? 0) }))
    .sort(byScore)
}
