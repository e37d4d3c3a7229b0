import type SQLite from 'better-sqlite3'
import type { ParsedQuery } from '../../engine/ports/parsed-query'
import type { QueryExpansion } from '../../engine/ports/search-index'
import { expandMissingWords } from '../../engine/search/expansion/expand-query'
import { identifierShare, isLetterOf, type QueryTerms, queryTerms } from '../../engine/search/expansion/query-terms'
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
  const wanted = queryTerms(query)
  const terms = wanted.terms.map(match)
  const identifiers = wanted.identifiers.map(match)
  if (terms.length + identifiers.length === 0) return pack([])

  const missingWords = terms.flatMap(({ term, count }) => (count === 0 && term.kind === 'word' ? term.word : []))
  const missing = expandMissingWords(createVocabulary(resolver), query, missingWords)
  const expanded = missing.terms.map(match)
  const expansions = new Map([...missing.expansions, ...expandJoinedIdentifiers(resolver, wanted)])

  const found = identifiers.filter(({ count }) => count > 0)
  const searched = found.length === 0 ? terms : terms.filter(({ term }) => !isLetterOf(wanted.identifiers, term))
  const matches = [...searched, ...expanded, ...found].flatMap((term) => term.matches)
  const ranked = rank(collection, matches, limit, among)
  const hits = preferIdentifiers(collection, ranked, found, identifierShare(query, wanted.identifiers))
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

/** Returns, by part, the identifiers that occur written as one word. */
function expandJoinedIdentifiers(resolver: TermResolver, { identifiers }: QueryTerms): Map<string, QueryExpansion> {
  const expansions = new Map<string, QueryExpansion>()
  for (const { words } of identifiers) {
    const joined = words.join('')
    if (words.length < 2 || resolver.resolve(joined).wordFragments === 0) continue
    for (const part of words) expansions.set(part, { words: [joined], reason: 'parts' })
  }
  return expansions
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
