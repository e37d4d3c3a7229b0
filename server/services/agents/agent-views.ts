import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import { type AgentStatus, agentStatuses, type Provider } from '../../../contract/enumerations'
import type { AgentView } from '../../../contract/views/agent'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import type { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import type { Actor } from '../../actor'
import { can } from '../../policy'
import type { Sealer } from '../../sealing'
import { keyHint } from '../keys/provider-keys'

export type AgentRow = typeof agents.$inferSelect

interface ViewDeps {
  sealer: Pick<Sealer, 'open'>
  /** Whether the server's configuration has a key for the provider. */
  hasServerKey(provider: Provider): boolean
}

/** Returns the views of agents for an actor, with computed status, in the order of the rows. */
export async function agentViews(
  queries: Queries,
  deps: ViewDeps,
  actor: Actor,
  rows: AgentRow[],
): Promise<AgentView[]> {
  const ids = rows.flatMap((row) => row.collectionId ?? [])
  const withData = await collectionsWithData(queries, ids)
  return rows.map((row) => agentView(deps, actor, row, statusOf(row, withData, deps.hasServerKey)))
}

/** Returns the linked collection; null without one. */
export async function linkedCollection(
  queries: Queries,
  { collectionId }: Pick<AgentRow, 'collectionId'>,
): Promise<{ id: string; name: string } | null> {
  if (!collectionId) return null
  const [collection] = await queries
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(eq(collections.id, collectionId))
  return collection ?? null
}

/** The associated data of a sealed agent key. */
export function keySealingContext(organizationId: string): string {
  return `${organizationId}:agents.provider_key`
}

interface CollectionsWithData {
  sources: Set<string>
  fragments: Set<string>
}

function statusOf(row: AgentRow, withData: CollectionsWithData, hasServerKey: ViewDeps['hasServerKey']): AgentStatus {
  if (!row.collectionId) return agentStatuses.noCollection
  if (!withData.sources.has(row.collectionId)) return agentStatuses.noSources
  if (!withData.fragments.has(row.collectionId)) return agentStatuses.noFragments
  if (!row.provider || !row.model || (!row.providerKey && !hasServerKey(row.provider))) {
    return agentStatuses.noProviderKey
  }
  return row.providerKeyRefused ? agentStatuses.invalidProviderKey : agentStatuses.operational
}

function agentView({ sealer, hasServerKey }: ViewDeps, actor: Actor, row: AgentRow, status: AgentStatus): AgentView {
  const edit = can(actor, 'agent:edit', row.organizationId)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status,
    collection_id: row.collectionId,
    provider: row.provider,
    provider_key: keyHint(sealer, row.providerKey, keySealingContext(row.organizationId)),
    server_key: row.provider !== null && hasServerKey(row.provider),
    model: row.model,
    prompt: row.prompt,
    fragment_similarity: row.fragmentSimilarity,
    fragment_limit: row.fragmentLimit,
    max_total_output_tokens: row.maxTotalOutputTokens,
    history_limit: row.historyLimit,
    message_length: row.messageLength,
    organization_id: row.organizationId,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    abilities: { edit, delete: edit, link: edit, settings: edit },
  }
}

async function collectionsWithData(queries: Queries, ids: string[]): Promise<CollectionsWithData> {
  if (ids.length === 0) return { sources: new Set(), fragments: new Set() }
  const withSources = await queries
    .select({ id: sources.collectionId, sources: count() })
    .from(sources)
    .where(and(inArray(sources.collectionId, ids), isNull(sources.deletedAt)))
    .groupBy(sources.collectionId)
  const withFragments: string[] = []
  for (const id of new Set(ids)) {
    const [one] = await queries
      .select({ key: fragments.key })
      .from(fragments)
      .where(eq(fragments.collectionId, id))
      .limit(1)
    if (one) withFragments.push(id)
  }
  return { sources: new Set(withSources.map((row) => row.id)), fragments: new Set(withFragments) }
}
