import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import { agentDefaults } from '../../../contract/limits'
import type { SearchFilters } from '../../../contract/search'
import type { HitFigures, SearchExplanation, SearchView } from '../../../contract/views/search'
import type { Database } from '../../../db/database'
import { addresses, fragments } from '../../../db/schema/addresses'
import { sources } from '../../../db/schema/collections'
import type { Actor } from '../../actor'
import type { Tokenizer } from '../../engine/ports'
import { createQueryReader } from '../../engine/search/parse-query'
import { type Explanation, type RetrieveQuery, retrieve } from '../../engine/search/search'
import type { DroppedHit, RetrievableFragment, RetrievedHit } from '../../engine/search/select-hits'
import { AppError } from '../../errors'
import { authorize } from '../../policy'
import { findAgent } from '../agents/agents'
import { findCollection } from '../collections/collections'
import { fragmentView, type Indexes } from '../fragments/fragments'
import { isFound, isOfSource } from '../fragments/visible-fragments'
import type { Embedding } from '../indexing/embedding'
import { admissionOf, isNarrowing } from './search-filters'

export interface SearchDeps {
  db: Database
  indexes: Indexes
  embedding: Embedding
  tokenizer: Tokenizer
  log: { warn(details: object, message: string): void }
}

/** What narrows a search beside its words. */
interface Asked extends SearchFilters {
  query: string
  limit?: number
  threshold?: number
  explain?: boolean
  /** Preferred among equals: the first part of a language tag. */
  visitorLanguage?: string | null
}

interface LoadedFragment extends RetrievableFragment {
  id: string
  anchor: string | null
}

/** Of a search that names no number. */
const defaultLimit = 10

export function createSearch({ db, indexes, embedding, tokenizer, log }: SearchDeps) {
  const readQuery = createQueryReader(tokenizer)

  /** Best fragments of one collection, best first. No model provider is asked. */
  async function collection(
    actor: Actor,
    organizationId: string,
    asked: Asked & { collectionId: string },
  ): Promise<SearchView> {
    authorize(actor, 'collection:read', organizationId)
    await findCollection(db.read, organizationId, asked.collectionId)
    const { limit = defaultLimit, threshold = agentDefaults.fragmentSimilarity } = asked
    return find({ ...asked, limit, threshold })
  }

  /** What an agent would answer from, by its own limits where no others are named. Needs no provider key. */
  async function agent(actor: Actor, organizationId: string, agentId: string, asked: Asked): Promise<SearchView> {
    authorize(actor, 'agent:chat', organizationId)
    const row = await findAgent(db.read, organizationId, agentId)
    if (!row.collectionId) throw new AppError('conflict', 'This agent has no collection yet. Link one first.')
    return find({
      ...asked,
      collectionId: row.collectionId,
      limit: asked.limit ?? row.fragmentLimit,
      threshold: asked.threshold ?? row.fragmentSimilarity,
    })
  }

  /** Without an actor: for a chat that has authorized already. */
  async function find({
    collectionId,
    query,
    limit,
    threshold,
    visitorLanguage = null,
    explain = false,
    ...filters
  }: Asked & Pick<RetrieveQuery, 'collectionId' | 'limit' | 'threshold'>): Promise<SearchView> {
    const isNarrowed = isNarrowing(filters)
    const admission = await admissionOf(db.read, collectionId, filters)
    const deps = {
      textIndex: indexes.text,
      vectorIndex: indexes.vectors,
      embedder: embedding.embedder(),
      tokenizer,
      readQuery,
      loadFragments: (keys: number[]) => loadFragments(collectionId, keys),
      countWithoutVector,
    }
    const rules = { limit, threshold, language: visitorLanguage, admission, isNarrowed, explain }
    const found = await retrieve<LoadedFragment>(deps, { collectionId, query, ...rules })
    if (found.failure) log.warn({ err: found.failure }, 'A search was made by words alone: the embedder failed.')
    const { explanation } = found
    const filteredTo = explain && isNarrowed ? ((await admission.all())?.size ?? null) : null
    return {
      fragments: found.hits.map((hit) => {
        const { fragment, similarity } = hit
        const ids = { address_id: fragment.addressId, collection_id: collectionId }
        const view = { ...fragmentView(fragment, fragment.url, similarity), ...ids }
        return explain ? { ...view, figures: { ...figuresOf(hit), backfilled: hit.fillsPlace } } : view
      }),
      pending_embeddings: found.withoutVector,
      mode: found.by === 'words-and-meaning' ? 'hybrid' : 'keyword',
      ...(explanation ? { explanation: explanationView(explanation, filteredTo) } : {}),
    }
  }

  async function loadFragments(collectionId: string, keys: number[]): Promise<LoadedFragment[]> {
    if (keys.length === 0) return []
    return db.read
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
        url: addresses.url,
      })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .innerJoin(sources, isOfSource())
      .where(isFound(collectionId, keys))
  }

  async function countWithoutVector(collectionId: string, model: string | null): Promise<number> {
    const here = eq(fragments.collectionId, collectionId)
    if (model === null) return db.read.$count(fragments, here)
    // Each is a range of the index by collection and model: the fragments that have their vector are not walked through.
    const { vectorModel } = fragments
    const others = [isNull(vectorModel), lt(vectorModel, model), gt(vectorModel, model)]
    const counts = await Promise.all(others.map((other) => db.read.$count(fragments, and(here, other))))
    return counts.reduce((sum, many) => sum + many, 0)
  }

  return { collection, agent, find }
}

export type Search = ReturnType<typeof createSearch>

function figuresOf(hit: RetrievedHit<LoadedFragment>): HitFigures {
  return {
    keyword_rank: hit.ranks.words,
    vector_rank: hit.ranks.vectors,
    bm25: hit.bm25,
    cosine: hit.cosine,
    fusion_score: hit.score,
    rerank_score: hit.rank,
    term_coverage: hit.evidence,
    weighted_term_coverage: hit.weighted,
    heading_match: hit.heading,
    similarity: hit.similarity,
  }
}

function explanationView(
  { read, threshold, denseShare, found, dropped }: Explanation<LoadedFragment>,
  filteredTo: number | null,
): SearchExplanation {
  return {
    words: read.words,
    tokens_per_word: read.piecesPerWord,
    vector_weight: denseShare,
    threshold,
    keyword_hits: found.words,
    vector_hits: found.vectors,
    ranked: found.fused,
    filtered_to: filteredTo,
    dropped: dropped.map(droppedView),
  }
}

function droppedView(hit: DroppedHit<LoadedFragment>): SearchExplanation['dropped'][number] {
  const { fragment, reason, duplicateOf } = hit
  const { id, url, title } = fragment
  return { id, url, title, reason, duplicate_of: duplicateOf?.id ?? null, ...figuresOf(hit) }
}
