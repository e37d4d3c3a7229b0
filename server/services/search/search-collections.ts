import { and, eq, isNull } from 'drizzle-orm'
import { type SearchInput, searchedPart } from '../../../contract/chat/search-query'
import { passageLink } from '../../../contract/texts/pages/passage-link'
import { agentDefaults } from '../../../contract/values/limits'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { HitFigures, SearchExplanation, SearchView } from '../../../contract/views/chat/search-results'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import type { Actor } from '../../actor'
import type { NearPage } from '../../engine/answering/nothing-found'
import type { Reranker } from '../../engine/ports/reranker'
import type { Telemetry } from '../../engine/ports/telemetry'
import type { RerankerReport } from '../../engine/search/apply-reranker'
import { type Explanation, type IndexedFragment, type SearchIndex, search } from '../../engine/search/hybrid-search'
import type { Ranker } from '../../engine/search/rank-fragments'
import type { DroppedHit, ScoredHit } from '../../engine/search/ranking/select-hits'
import { AppError } from '../../errors'
import { authorize, authorizeAgent } from '../../policy'
import { type AgentRef, findAgent } from '../agents/agents'
import { findCollection } from '../collections/collections'
import { fragmentView, type Indexes } from '../fragments/fragments'
import { isOfSource, isSearchable } from '../fragments/visible-fragments'
import type { Embedding } from '../indexing/embedding'
import type { MonthlyLimits } from '../organizations/monthly-limits'
import type { FairTurns } from '../usage/fair-turns'
import type { CollectionLanguages } from './collection-languages'
import { measuredIndex } from './measured-index'
import { createFragmentFilter } from './search-filters'

export interface SearchDeps {
  db: Database
  indexes: Indexes
  embedding: Embedding
  languagesOf: CollectionLanguages
  ranker: Ranker
  /** Null without a reranker, and until it is loaded. */
  reranker(): Reranker | null
  telemetry: Pick<Telemetry, 'stage'>
  turns: Pick<FairTurns, 'assertRoom' | 'run'>
  monthlyLimits: Pick<MonthlyLimits, 'count'>
  log: { warn(details: object, message: string): void }
}

/** A search without its collection or agent. */
export interface SearchRequest extends Omit<SearchInput, 'collectionId' | 'agentId'> {
  /** Primary language subtag, preferred among equal hits. */
  preferredLanguage?: string | null
  /** Counts repeats by the same person once: a page that is open searches again whenever it reloads its data. */
  isOnPage?: boolean
}

export interface CollectionSearchRequest extends SearchRequest {
  collectionId: string
  /** Maximum number of dropped fragments to return; 0 by default. */
  maxDropped?: number
}

interface LoadedFragment extends IndexedFragment {
  id: string
  anchor: string | null
}

const defaultLimit = 10

export function createSearch({
  db,
  indexes,
  embedding,
  languagesOf,
  ranker,
  reranker,
  telemetry,
  turns,
  monthlyLimits,
  log,
}: SearchDeps) {
  /** Returns the best fragments of a collection, best first. Calls no model provider. Throws not_found and quota_exceeded. */
  async function collection(
    actor: Actor,
    organizationId: string,
    request: CollectionSearchRequest,
    signal?: AbortSignal,
  ): Promise<SearchView> {
    authorize(actor, 'collection:read', organizationId)
    turns.assertRoom(organizationId)
    await findCollection(db.read, organizationId, request.collectionId)
    return view(actor, organizationId, request, signal)
  }

  /**
   * Returns the fragments from which an agent would answer. Limit and threshold default to the agent's. Needs no key.
   * Throws not_found, conflict and quota_exceeded.
   */
  async function agent(actor: Actor, ref: AgentRef, request: SearchRequest, signal?: AbortSignal): Promise<SearchView> {
    authorizeAgent(actor, 'agent:chat', ref)
    turns.assertRoom(ref.organizationId)
    const { collectionId, fragmentLimit, fragmentSimilarity } = await findAgent(db.read, ref)
    if (!collectionId) throw new AppError('conflict', 'This agent has no collection yet. Link one first.')
    const { limit = fragmentLimit, threshold = fragmentSimilarity } = request
    return view(actor, ref.organizationId, { ...request, collectionId, limit, threshold }, signal)
  }

  /**
   * Returns the best fragments, the best of those that it dropped, and the pages of both, best first, without
   * authorization, for callers that have authorized already. `closest` are the dropped fragments below the threshold that
   * contain a word of the query. Waits for the organization's turn. Throws rate_limited if too many of its searches wait,
   * and the reason of a signal that aborts before the turn.
   */
  async function find(
    organizationId: string,
    request: CollectionSearchRequest,
    signal?: AbortSignal,
  ): Promise<FoundFragments> {
    const query = searchedPart(request.query)
    const work = async () => {
      const { hits, dropped, isReranked } = (await runSearch({ ...request, query })).found
      const viewOf = (hit: ScoredHit<LoadedFragment>) => hitView(hit, request.collectionId)
      const isClose = ({ reason, coverage }: DroppedHit<LoadedFragment>) => reason === 'below-threshold' && coverage > 0
      const nearest = [...hits, ...dropped].map(({ fragment: { url, title, language } }) => ({ url, title, language }))
      const closest = dropped.filter(isClose).map(viewOf)
      return { fragments: hits.map(viewOf), closest, dropped: dropped.map(droppedView), nearest, isReranked }
    }
    return turns.run(organizationId, work, { signal, isPatient: true })
  }

  async function view(
    actor: Actor,
    organizationId: string,
    request: CollectionSearchRequest,
    signal?: AbortSignal,
  ): Promise<SearchView> {
    const query = searchedPart(request.query)
    const work = () => turns.run(organizationId, () => searchView({ ...request, query }), { signal })
    const repeatKey = request.isOnPage ? JSON.stringify(request) : null
    const found = await monthlyLimits.count(actor, organizationId, 'searches', work, { repeatKey })
    return { ...found, ignored_characters: request.query.length - query.length }
  }

  async function searchView(request: CollectionSearchRequest): Promise<Omit<SearchView, 'ignored_characters'>> {
    const { collectionId, explain } = request
    const { found, filter } = await runSearch(request, { withPassages: true })
    const { explanation } = found
    const filteredTo = explain && filter.isNarrowing ? ((await filter.selectAll())?.size ?? null) : null
    return {
      fragments: found.hits.map((hit) => {
        const passage = hit.passage ?? { text: '', highlights: [] }
        const fragment = hitView(hit, collectionId)
        const view = { ...fragment, link: passageLink(fragment.link, passage), passage }
        return explain ? { ...view, figures: { ...figuresOf(hit), backfilled: hit.isBackfilled } } : view
      }),
      mode: found.mode,
      pending_embeddings: found.pendingEmbeddings,
      corrections: found.corrections,
      corrected_query: found.corrections.length > 0 ? found.correctedQuery : null,
      ...(explanation ? { explanation: explanationView(explanation, filteredTo) } : {}),
    }
  }

  function runSearch(request: CollectionSearchRequest, { withPassages = false } = {}) {
    return telemetry.stage('search', () => searchCollection(request, withPassages))
  }

  async function searchCollection(request: CollectionSearchRequest, withPassages: boolean) {
    const { collectionId, limit = defaultLimit, threshold = agentDefaults.fragmentSimilarity } = request
    const filter = await createFragmentFilter(db.read, collectionId, request)
    const found = await search(await searchIndexOf(collectionId), {
      ...request,
      limit,
      threshold,
      filter,
      withPassages,
    })
    if (found.embeddingError)
      log.warn({ err: found.embeddingError }, 'A search used keywords only: the embedder failed.')
    if (found.rerankerError) log.warn({ err: found.rerankerError }, 'A search was not reranked: the reranker failed.')
    return { found, filter }
  }

  async function searchIndexOf(collectionId: string): Promise<SearchIndex<LoadedFragment>> {
    const { vectorModel, setId, tokenizer, embedder } = await embedding.vectorSearchOf(collectionId)
    const index: SearchIndex<LoadedFragment> = {
      textIndex: indexes.text,
      vectorIndex: {
        search: (_, vector, limit, among) => indexes.vectors.search(setId, vector, limit, among),
        cosines: (_, vector, keys) => indexes.vectors.cosines(setId, vector, keys),
      },
      embedder,
      tokenizer,
      ranker,
      reranker: reranker(),
      languages: (await languagesOf(collectionId)).frequent,
      loadFragments: (keys) => loadFragments(collectionId, keys, vectorModel),
      countPendingEmbeddings,
    }
    return measuredIndex(index, telemetry)
  }

  /** Fragments that are still labelled with a former model have no measured tokens per word. */
  async function loadFragments(
    collectionId: string,
    keys: number[],
    vectorModel: string | null,
  ): Promise<LoadedFragment[]> {
    if (keys.length === 0) return []
    const rows = await db.read
      .select({
        key: fragments.key,
        id: fragments.id,
        addressId: fragments.addressId,
        title: fragments.title,
        headings: fragments.headings,
        innerHeadings: fragments.innerHeadings,
        text: fragments.text,
        anchor: fragments.anchor,
        language: fragments.language,
        tokensPerWord: fragments.tokensPerWord,
        vectorModel: fragments.vectorModel,
        url: addresses.url,
      })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .innerJoin(sources, isOfSource())
      .where(isSearchable(collectionId, keys))
    return rows.map(({ vectorModel: model, tokensPerWord, ...row }) => ({
      ...row,
      tokensPerWord: model === vectorModel ? tokensPerWord : null,
    }))
  }

  function countPendingEmbeddings(collectionId: string, model: string | null): Promise<number> {
    const isPending = model === null ? undefined : isNull(fragments.vectorModel)
    return db.read.$count(fragments, and(eq(fragments.collectionId, collectionId), isPending))
  }

  return { collection, agent, find }
}

interface FoundFragments {
  fragments: FragmentView[]
  closest: FragmentView[]
  dropped: SearchExplanation['dropped']
  nearest: NearPage[]
  /** Whether the order of the fragments is the reranker's, and not that of their scores. */
  isReranked: boolean
}

export type Search = ReturnType<typeof createSearch>

function hitView({ fragment, similarity }: ScoredHit<LoadedFragment>, collectionId: string): FragmentView {
  const ids = { address_id: fragment.addressId, collection_id: collectionId }
  return { ...fragmentView(fragment, fragment.url, similarity), ...ids }
}

function figuresOf(hit: ScoredHit<LoadedFragment>): HitFigures {
  return {
    keyword_rank: hit.ranks.keyword,
    vector_rank: hit.ranks.vector,
    bm25: hit.bm25,
    cosine: hit.cosine,
    fusion_score: hit.fusionScore,
    rerank_score: hit.rerankScore,
    reranker_score: hit.rerankerScore ?? null,
    term_coverage: hit.coverage,
    weighted_term_coverage: hit.weightedCoverage,
    heading_match: hit.headingMatch,
    similarity: hit.similarity,
  }
}

function explanationView(
  { words, tokensPerWord, threshold, vectorWeight, counts, reranker, dropped }: Explanation<LoadedFragment>,
  filteredTo: number | null,
): SearchExplanation {
  return {
    words,
    tokens_per_word: tokensPerWord,
    vector_weight: vectorWeight,
    threshold,
    keyword_hits: counts.keyword,
    vector_hits: counts.vector,
    ranked: counts.fused,
    filtered_to: filteredTo,
    reranker: reranker && rerankerView(reranker),
    dropped: dropped.map(droppedView),
  }
}

function rerankerView({ model, candidates, scored, ms, isApplied }: RerankerReport): SearchExplanation['reranker'] {
  return { model, candidates, scored, ms, applied: isApplied }
}

function droppedView(hit: DroppedHit<LoadedFragment>): SearchExplanation['dropped'][number] {
  const { fragment, reason, duplicateOf } = hit
  const { id, url, title } = fragment
  return { id, url, title, reason, duplicate_of: duplicateOf?.id ?? null, ...figuresOf(hit) }
}
