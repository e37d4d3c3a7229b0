import type { Client } from '@opensearch-project/opensearch'
import type { ParsedQuery } from '../../engine/ports/parsed-query'
import type { KeyScore, KeywordHits, QueryExpansion } from '../../engine/ports/search-index'
import { expandMissingWords } from '../../engine/search/expansion/expand-query'
import { identifierShare, isLetterOf, type QueryTerms, queryTerms } from '../../engine/search/expansion/query-terms'
import { type MatchedTerm, matchTerms, type Query } from './match-queries'
import { withVocabulary } from './remote-vocabulary'
import type { IndexNames } from './search-indexes'
import { succeeded } from './search-server'
import { createTermStatistics, type TermStatistics } from './term-statistics'

export interface KeywordSearchOptions {
  client: Client
  names: IndexNames
  /** By what the scores of the server have to be multiplied to be those of BM25 with its factor of k1 + 1. */
  bm25Factor: number
}

interface Hit {
  _score: number
  fields: { key: number[] }
  matched_queries?: string[]
}

const nothing: KeywordHits = { hits: [], expansions: new Map() }

/** Searches as the index on one machine does, with its terms, weights and expansions. See docs/decisions/opensearch.md. */
export async function searchKeywords(
  { client, names, bm25Factor }: KeywordSearchOptions,
  collectionId: string,
  query: ParsedQuery,
  limit: number,
  among: ReadonlySet<number> | undefined,
): Promise<KeywordHits> {
  const wanted = queryTerms(query)
  if (wanted.terms.length + wanted.identifiers.length === 0 || among?.size === 0) return nothing
  const statistics = createTermStatistics(client, names, collectionId)
  const match = (terms: typeof wanted.terms) =>
    matchTerms(terms, statistics, countAll, { isEnglish: query.isEnglish, bm25Factor })

  const joined = wanted.identifiers.flatMap(({ words }) => (words.length < 2 ? [] : words.join('')))
  const all = [...wanted.terms, ...wanted.identifiers]
  const matched = await match(all)
  const terms = matched.slice(0, wanted.terms.length)
  const identifiers = matched.slice(wanted.terms.length)
  if (statistics.fragments() === 0) return nothing
  await statistics.load(joined)

  const missingWords = terms.flatMap(({ term, count }) => (count === 0 && term.kind === 'word' ? term.word : []))
  const missing =
    missingWords.length === 0
      ? { terms: [], expansions: new Map<string, QueryExpansion>() }
      : await withVocabulary({ client, names, collectionId }, statistics, (vocabulary) =>
          expandMissingWords(vocabulary, query, missingWords),
        )
  const expanded = missing.terms.length === 0 ? [] : await match(missing.terms)
  const expansions = new Map([...missing.expansions, ...joinedIdentifiers(statistics, wanted)])

  const found = identifiers.filter(({ count }) => count > 0)
  const searched = found.length === 0 ? terms : terms.filter(({ term }) => !isLetterOf(wanted.identifiers, term))
  const should = [...searched, ...expanded].flatMap(scored)
  if (should.length + found.length === 0) return { hits: [], expansions }
  const { body } = await client.search({
    index: names.fragments,
    routing: collectionId,
    body: {
      size: Math.floor(limit),
      track_total_hits: false,
      stored_fields: '_none_',
      docvalue_fields: ['key'],
      query: {
        bool: {
          should: [...should, ...named(found.flatMap(scored))],
          minimum_should_match: 1,
          ...(among ? { filter: { terms: { key: [...among] } } } : {}),
        },
      },
    } as Record<string, unknown>,
  })
  const share = identifierShare(query, wanted.identifiers)
  return { hits: preferIdentifiers(body.hits.hits as unknown as Hit[], found.length, share), expansions }

  async function countAll(queries: Query[]): Promise<number[]> {
    const { body } = await client.msearch({
      body: queries.flatMap((filter) => [
        { index: names.fragments, routing: collectionId },
        { size: 0, track_total_hits: true, query: { bool: { filter } } },
      ]),
    })
    return succeeded(body.responses).map(({ hits: { total } }) =>
      typeof total === 'object' ? total.value : (total ?? 0),
    )
  }
}

function scored({ matches }: MatchedTerm): Query[] {
  return matches.map(({ weight, scored }) => scored(weight))
}

/** Queries whose names tell which of them a fragment matches. */
function named(queries: Query[]): Query[] {
  return queries.map((query, n) => ({ bool: { must: [query], _name: String(n) } }))
}

/** Returns, by part, the identifiers that occur written as one word. */
function joinedIdentifiers(statistics: TermStatistics, { identifiers }: QueryTerms): Map<string, QueryExpansion> {
  const expansions = new Map<string, QueryExpansion>()
  for (const { words } of identifiers) {
    const joined = words.join('')
    if (words.length < 2 || statistics.frequencies(joined).wordFragments === 0) continue
    for (const part of words) expansions.set(part, { words: [joined], reason: 'parts' })
  }
  return expansions
}

/** Puts fragments with a whole identifier before those with its parts, the more the query consists of identifiers. */
function preferIdentifiers(hits: Hit[], identifiers: number, share: number): KeyScore[] {
  const weight = identifiers === 0 ? 0 : ((hits[0]?._score ?? 0) * share) / identifiers
  return hits
    .map(({ _score, fields, matched_queries: names = [] }) => ({
      key: fields.key[0] ?? 0,
      score: _score + weight * names.length,
    }))
    .sort((first, second) => second.score - first.score || first.key - second.key)
}
