import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { agentDefaults } from '../../contract/limits'
import type { FragmentView, SearchView } from '../../contract/thread'
import type { Database } from '../../db/database'
import { addresses, fragments } from '../../db/schema/addresses'
import type { Actor } from '../actor'
import type { Tokenizer } from '../engine/ports'
import { createQueryReader } from '../engine/query-words'
import { type RetrievableFragment, type RetrieveQuery, retrieve } from '../engine/retrieve'
import { AppError } from '../errors'
import { authorize } from '../policy'
import { findAgent } from './agents'
import { findCollection } from './collections'
import type { Embedding } from './embedding'
import { fragmentView, type Indexes } from './fragments'

export interface SearchDeps {
  db: Database
  indexes: Indexes
  embedding: Embedding
  tokenizer: Tokenizer
  log: { warn(details: object, message: string): void }
}

interface LoadedFragment extends RetrievableFragment {
  id: string
  anchor: string | null
  url: string
}

export function createSearch({ db, indexes, embedding, tokenizer, log }: SearchDeps) {
  const readQuery = createQueryReader(tokenizer)

  /** Best fragments of one collection, best first. No model provider is asked. */
  async function collection(
    actor: Actor,
    organizationId: string,
    { collectionId, query, limit }: { collectionId: string; query: string; limit: number },
  ): Promise<SearchView> {
    authorize(actor, 'collection:read', organizationId)
    await findCollection(db.read, organizationId, collectionId)
    // The threshold is an agent's setting; whoever searches a collection finds all that holds their words, too.
    return find({ collectionId, query, limit, threshold: agentDefaults.fragmentSimilarity, keepWholeMatches: true })
  }

  /** What an agent would answer from, by its own limits. Needs no provider key. */
  async function agent(
    actor: Actor,
    organizationId: string,
    agentId: string,
    { query, limit }: { query: string; limit?: number },
  ): Promise<SearchView> {
    authorize(actor, 'agent:chat', organizationId)
    const row = await findAgent(db.read, organizationId, agentId)
    if (!row.collectionId) throw new AppError('conflict', 'This agent has no collection yet. Link one first.')
    return find({
      collectionId: row.collectionId,
      query,
      limit: limit ?? row.fragmentLimit,
      threshold: row.fragmentSimilarity,
    })
  }

  /** Without an actor: for a chat that has authorized already. */
  async function find(query: RetrieveQuery): Promise<SearchView> {
    const deps = {
      textIndex: indexes.text,
      vectorIndex: indexes.vectors,
      embedder: embedding.embedder(),
      readQuery,
      loadFragments,
      countWithoutVector,
    }
    const found = await retrieve<LoadedFragment>(deps, query)
    if (found.failure) log.warn({ err: found.failure }, 'A search was made by words alone: the embedder failed.')
    return {
      fragments: found.hits.map(({ fragment, similarity }): FragmentView => {
        const ids = { address_id: fragment.addressId, collection_id: query.collectionId }
        return { ...fragmentView(fragment, fragment.url, similarity), ...ids }
      }),
      waiting: found.withoutVector,
      by_meaning: found.by === 'words-and-meaning',
    }
  }

  async function loadFragments(keys: number[]): Promise<LoadedFragment[]> {
    if (keys.length === 0) return []
    return db.read
      .select({
        key: fragments.key,
        id: fragments.id,
        addressId: fragments.addressId,
        title: fragments.title,
        headings: fragments.headings,
        text: fragments.text,
        anchor: fragments.anchor,
        url: addresses.url,
      })
      .from(fragments)
      .innerJoin(addresses, eq(addresses.id, fragments.addressId))
      .where(inArray(fragments.key, keys))
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
