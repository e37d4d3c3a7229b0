import { foldText } from '../language/normalize-text'
import type { ParsedQuery } from '../ports/parsed-query'
import type { Reranker } from '../ports/reranker'
import type { Embedder, KeyScore, KeywordHits, TextIndex, VectorIndex } from '../ports/search-index'
import { applyReranker, maxCandidates, type RerankerReport } from './apply-reranker'
import { type FragmentFilter, fusionDepth, searchKeywords, searchVectors } from './candidates'
import { isFoundName } from './found-name'
import type { Passage } from './passage/passage'
import { correctionsOf, correctQuery } from './query/correct-spelling'
import { parseQuery, tokensPerWord } from './query/parse-query'
import { type TokenCounter, tokensPerWordOf } from './query/token-counter'
import type { Ranker, Ranking, RankingRequest } from './rank-fragments'
import { type FusedHit, fuse } from './ranking/fusion'
import { type PassageText, searchedForms } from './ranking/relevance'
import { batchSizeFor, type DroppedHit, type RankableFragment, type SelectedHit } from './ranking/select-hits'
import { originalSpellings } from './ranking/term-coverage'
import { vectorWeightFor } from './ranking/vector-weight'

/** A fragment as it is loaded. Callers may load more columns; they come back with the hit. */
export interface IndexedFragment extends Omit<RankableFragment, 'tokensPerWord'> {
  /** Null or undefined until it has been measured. */
  tokensPerWord?: number | null
}

/** What a search reads: the indexes, the fragments and the embedding model. */
export interface SearchIndex<Fragment extends IndexedFragment> {
  textIndex: Pick<TextIndex, 'search'>
  vectorIndex: Pick<VectorIndex, 'search' | 'cosines'>
  /** Null while the embedding model cannot run: the search then uses keywords only. */
  embedder: Pick<Embedder, 'model' | 'embedQuery'> | null
  tokenizer: TokenCounter
  /** Primary subtags of the languages of the collection; empty if they are unknown. */
  languages: readonly string[]
  /** Returns fragments in any order, without those that must not be found. */
  loadFragments(keys: number[]): Promise<Fragment[]>
  /** Fragments of the collection without an embedding of this model; all fragments for null. */
  countPendingEmbeddings(collectionId: string, model: string | null): Promise<number>
  ranker: Ranker
  reranker?: Pick<Reranker, 'model' | 'score'> | null
}

export interface SearchRequest {
  collectionId: string
  query: string
  /** Maximum number of hits. */
  limit: number
  /** Minimum similarity, from 0 to 1; .3 by default. */
  threshold?: number
  /** Maximum number of hits of one address, as long as others fill the places; 5 by default. */
  maxPerAddress?: number
  /** Primary language subtag, preferred among equal hits. */
  preferredLanguage?: string | null
  /** Which fragments may be found; all by default. */
  filter?: FragmentFilter
  /** Maximum number of dropped hits to report; 0 by default. */
  maxDropped?: number
  /** Whether to report the figures of the search, and 50 dropped hits. */
  explain?: boolean
  /** Whether to choose the passage of each hit. */
  withPassages?: boolean
}

export interface FoundHit<Fragment> extends SelectedHit<Fragment> {
  /** The part that answers the query, if it was requested. */
  passage: Passage | null
}

export interface SearchResult<Fragment> {
  /** Best first. */
  hits: FoundHit<Fragment>[]
  /** Best first; as many as the request asks for. */
  dropped: DroppedHit<Fragment>[]
  mode: 'hybrid' | 'keyword'
  /** Fragments of the collection without an embedding, which only keyword search finds. */
  pendingEmbeddings: number
  /** The words that were searched in place of those that occur nowhere, in the order of the query. */
  corrections: Correction[]
  /** The query with its corrections. */
  correctedQuery: string
  /** Explanation, if it was requested. */
  explanation?: Explanation<Fragment>
  /** Why the search used keywords only although there is an embedder. */
  embeddingError?: unknown
  /** Whether the reranker determined the order. */
  isReranked: boolean
  /** Why the reranker was left out although there is one. */
  rerankerError?: unknown
}

export interface Explanation<Fragment> {
  /** Query words as they were searched, in their spelling in the texts. */
  words: string[]
  tokensPerWord: number
  threshold: number
  vectorWeight: number
  /** Number of hits of each kind, and of those that were fused: at most a hundred of each. */
  counts: HitCounts
  /** Null without a reranker, and if it failed. */
  reranker: RerankerReport | null
  /** Best first, at most 50. */
  dropped: DroppedHit<Fragment>[]
}

export interface Correction {
  typed: string
  searched: string
}

interface HitCounts {
  keyword: number
  vector: number
  fused: number
}

const defaultThreshold = 0.3
const defaultMaxPerAddress = 5
const maxExplainedDrops = 50
/** Fragments that are read for the spelling of a corrected word. */
const maxSpellingSources = 10
/** Completions of a word that are reported. */
const maxExpandedWords = 5

/**
 * Finds the fragments of one collection that match a request, best first. Where the embedder fails, the search uses
 * keywords only. Rejects only if an index does.
 */
export async function search<Fragment extends IndexedFragment>(
  index: SearchIndex<Fragment>,
  request: SearchRequest,
): Promise<SearchResult<Fragment>> {
  const query = parseQuery(request.query, index.tokenizer, index.languages)
  const { filter = null } = request
  const [first, pendingEmbeddings] = await Promise.all([
    searchWithin(filter?.isNarrowing ? filter : null, index, request, query),
    index.countPendingEmbeddings(request.collectionId, index.embedder?.model ?? null),
  ])
  // Fragments that are being deleted leave their places to others, which an unfiltered search does not look for.
  const isShort = first.isMissingFragments && filter && !filter.isNarrowing
  const found = isShort ? await searchWithin(filter, index, request, query) : first
  const isTrivial = query.words.length === 0 || (await excludesAll(filter, found.counts))
  return {
    hits: found.hits,
    // A search that cannot have hits lacks no embeddings.
    mode: found.counts.vector > 0 || (isTrivial && index.embedder) ? 'hybrid' : 'keyword',
    pendingEmbeddings,
    corrections: found.corrections,
    correctedQuery: found.correctedQuery,
    dropped: found.dropped,
    ...(request.explain ? { explanation: explain(request, query, found) } : {}),
    ...(found.embeddingError === undefined ? {} : { embeddingError: found.embeddingError }),
    isReranked: found.reranker?.isApplied ?? false,
    ...(found.rerankerError === undefined ? {} : { rerankerError: found.rerankerError }),
  }
}

/**
 * The steps of a search: keywords, correction, embedding, vectors, fusion, ranking, selection, and the reranker if there is
 * one.
 */
async function searchWithin<Fragment extends IndexedFragment>(
  filter: FragmentFilter | null,
  index: SearchIndex<Fragment>,
  request: SearchRequest,
  query: ParsedQuery,
): Promise<Found<Fragment>> {
  if (query.words.length === 0) return { ...nothing, correctedQuery: query.text }
  const { collectionId, explain = false } = request

  // Most queries need no correction, so their vector is searched while their keywords are.
  const [keyword, uncorrected] = await Promise.all([
    searchKeywords(index.textIndex, collectionId, query, filter, { countsAll: explain }),
    findNearest(index, collectionId, query.text, filter),
  ])
  const { text: correctedQuery, corrections } = await correct(index, query, keyword)
  const text = index.embedder ? correctedQuery : query.text
  const similar = text === query.text ? uncorrected : await findNearest(index, collectionId, text, filter)
  const { vector, nearest, error } = similar
  const cosines = vector ? await index.vectorIndex.cosines(collectionId, vector, keysWithout(nearest, keyword)) : []

  // A misspelled word has more tokens than the word that was meant, as if it were of another language.
  const meant = text === query.text ? query : { ...query, tokensPerWord: tokensPerWord(text, index.tokenizer) }
  const isName = vector !== null && (await isFoundName(query, keyword, index.loadFragments))
  const vectorWeight = vectorWeightFor({ ...meant, isFoundName: isName })
  const fused = fuse({ keywordHits: keyword.hits, vectorHits: nearest, cosines, vectorWeight, depth: fusionDepth })
  const words = expandedWords(query.words, keyword.expansions)
  const forms = searchedForms(query.words, keyword.expansions, index.tokenizer)
  const rules = {
    limit: request.limit,
    threshold: request.threshold ?? defaultThreshold,
    maxPerAddress: request.maxPerAddress ?? defaultMaxPerAddress,
    preferredLanguage: request.preferredLanguage ?? null,
    maxDropped: explain ? maxExplainedDrops : (request.maxDropped ?? 0),
  }
  const { reranker } = index
  const limit = reranker ? Math.max(rules.limit, maxCandidates) : rules.limit
  const ranked = await rank(index, fused, {
    meant: text,
    query: meant,
    forms,
    words,
    rules: { ...rules, limit },
    withPassages: request.withPassages ?? false,
  })
  const reranked = reranker ? await applyReranker(reranker, text, ranked, rules) : { ...ranked, report: null }
  const counts = { keyword: keyword.hits.length, vector: nearest.length, fused: fused.length }
  const searched = { corrections, correctedQuery, tokensPerWord: meant.tokensPerWord }
  const { hits, dropped, report } = reranked
  const selected = { hits, dropped, isMissingFragments: ranked.isMissingFragments, reranker: report }
  const errors = { embeddingError: error, rerankerError: 'error' in reranked ? reranked.error : undefined }
  return { ...selected, ...searched, words, vectorWeight, counts, ...errors }
}

/** Loads and ranks the best hits, of which there are mostly enough; otherwise all. */
async function rank<Fragment extends IndexedFragment>(
  { loadFragments, ranker, tokenizer }: SearchIndex<Fragment>,
  fused: FusedHit[],
  request: Omit<RankingRequest, 'fused' | 'fragments' | 'hasMore'>,
): Promise<Ranked<Fragment>> {
  if (fused.length === 0) return nothing
  const { limit, maxDropped } = request.rules
  const first = fused.slice(0, Math.max(batchSizeFor(request.rules), limit + maxDropped))
  const loaded = new Map<number, Fragment>()
  return (await rankLoaded(first)) ?? (await rankLoaded(fused)) ?? nothing

  async function rankLoaded(hits: FusedHit[]): Promise<Ranked<Fragment> | null> {
    const missing = hits.flatMap(({ key }) => (loaded.has(key) ? [] : key))
    for (const fragment of await loadFragments(missing)) loaded.set(fragment.key, fragment)
    const fragments = hits.flatMap(({ key, cosine }) => {
      const fragment = loaded.get(key)
      return fragment ? { ...fragment, tokensPerWord: cosine === null ? null : measure(fragment) } : []
    })
    const ranking = await ranker.rank({ ...request, fused: hits, fragments, hasMore: hits.length < fused.length })
    return ranking && withFragments(ranking, loaded)
  }

  /** Weighs the cosine; without one, it is not needed. */
  function measure({ text, tokensPerWord }: Fragment): number | null {
    return tokensPerWord ?? tokensPerWordOf(text, tokenizer)
  }
}

function withFragments<Fragment>(
  { hits, dropped, isMissingFragments }: Ranking,
  loaded: ReadonlyMap<number, Fragment>,
): Ranked<Fragment> {
  return {
    hits: hits.flatMap((hit) => {
      const fragment = loaded.get(hit.key)
      return fragment ? { ...hit, fragment } : []
    }),
    dropped: dropped.flatMap(({ duplicateOfKey, ...hit }) => {
      const fragment = loaded.get(hit.key)
      const duplicateOf = duplicateOfKey === null ? null : (loaded.get(duplicateOfKey) ?? null)
      return fragment ? { ...hit, fragment, duplicateOf } : []
    }),
    isMissingFragments,
  }
}

/** The ranked hits of a search. */
interface Ranked<Fragment>
  extends Pick<SearchResult<Fragment>, 'hits' | 'dropped'>,
    Pick<Ranking, 'isMissingFragments'> {}

interface Found<Fragment> extends Ranked<Fragment>, Pick<SearchResult<Fragment>, 'corrections' | 'correctedQuery'> {
  /** Query words with their expansions, folded. */
  words: string[]
  tokensPerWord: number
  vectorWeight: number
  counts: HitCounts
  reranker: RerankerReport | null
  embeddingError: unknown
  rerankerError: unknown
}

const nothing: Found<never> = {
  hits: [],
  dropped: [],
  isMissingFragments: false,
  corrections: [],
  correctedQuery: '',
  words: [],
  tokensPerWord: 1,
  vectorWeight: 0,
  counts: { keyword: 0, vector: 0, fused: 0 },
  reranker: null,
  embeddingError: undefined,
  rerankerError: undefined,
}

/** Embeds a text and searches its vector. Without an embedder, and where it fails, there is neither. */
async function findNearest(
  { embedder, vectorIndex }: Pick<SearchIndex<never>, 'embedder' | 'vectorIndex'>,
  collectionId: string,
  text: string,
  filter: FragmentFilter | null,
): Promise<{ vector: Float32Array | null; nearest: KeyScore[]; error?: unknown }> {
  if (!embedder) return { vector: null, nearest: [] }
  let vector: Float32Array
  try {
    vector = await embedder.embedQuery(text)
  } catch (error) {
    return { vector: null, nearest: [], error }
  }
  return { vector, nearest: await searchVectors(vectorIndex, collectionId, vector, filter) }
}

/** Replaces the misspelled and incomplete words of the query, in the spelling of the best keyword hits. */
async function correct(
  { loadFragments }: Pick<SearchIndex<IndexedFragment>, 'loadFragments'>,
  { text, words }: ParsedQuery,
  { hits, expansions }: KeywordHits,
): Promise<{ text: string; corrections: Correction[] }> {
  const replacements = correctionsOf(expansions)
  if (replacements.size === 0) return { text, corrections: [] }
  const fragments = await loadFragments(hits.slice(0, maxSpellingSources).map(({ key }) => key))
  const spellings = originalSpellings([...replacements.values()], fragments.map(textOf))
  const corrections = words.flatMap((typed) => {
    const searched = replacements.get(foldText(typed))
    return searched === undefined ? [] : { typed, searched: spellings.get(searched) ?? searched }
  })
  return { text: correctQuery(text, replacements, spellings), corrections }
}

/** Keys of the best keyword hits whose cosines the vector search did not return. */
function keysWithout(nearest: KeyScore[], { hits }: KeywordHits): number[] {
  const known = new Set(nearest.map(({ key }) => key))
  return hits.slice(0, fusionDepth).flatMap(({ key }) => (known.has(key) ? [] : key))
}

/** Query words, those that were expanded replaced by their expansions. */
function expandedWords(words: string[], expansions: KeywordHits['expansions']): string[] {
  const expanded = words.flatMap((word) => expansions.get(foldText(word))?.words.slice(0, maxExpandedWords) ?? [word])
  return [...new Set(expanded)]
}

async function excludesAll(filter: FragmentFilter | null, { fused }: HitCounts): Promise<boolean> {
  return !!filter?.isNarrowing && fused === 0 && (await filter.selectAll())?.size === 0
}

function explain<Fragment extends IndexedFragment>(
  { threshold = defaultThreshold }: SearchRequest,
  query: ParsedQuery,
  { hits, dropped, words, tokensPerWord, vectorWeight, counts, reranker }: Found<Fragment>,
): Explanation<Fragment> {
  const expansions = words.filter((word) => !query.words.includes(word))
  const texts = [...hits, ...dropped].map(({ fragment }) => textOf(fragment))
  const spellings = originalSpellings(expansions, texts)
  const spelled = words.map((word) => spellings.get(word) ?? word)
  return { words: spelled, tokensPerWord, threshold, vectorWeight, counts, reranker, dropped }
}

function textOf({ title, headings, text }: PassageText): string {
  return `${title}\n${headings}\n${text}`
}
