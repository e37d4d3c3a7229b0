import { and, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { AgentInput, AgentSettings } from '../../../contract/agent'
import { type AgentStatus, agentStatuses, modelChoices, type Provider, providers } from '../../../contract/enumerations'
import { agentDefaults } from '../../../contract/limits'
import type { Paged, Paging } from '../../../contract/paging'
import type { AgentView } from '../../../contract/views/agent'
import type { Database, Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations as organizationTable } from '../../../db/schema/organizations'
import { type Actor, personOf } from '../../actor'
import { authorize, can, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { findCollection } from '../collections/collections'
import { hint, keyAfterEdit } from '../keys/provider-keys'
import { assertBelow, type Organizations } from '../organizations/organizations'
import { pageOf, rowsBefore } from '../paging'

export type AgentRow = typeof agents.$inferSelect

export interface AgentsDeps {
  db: Database
  sealer: Sealer
  organizations: Organizations
  /** Whether the server's configuration holds a key for the provider. */
  hasServerKey(provider: Provider): boolean
}

export function createAgents({ db, sealer, organizations, hasServerKey }: AgentsDeps) {
  async function list(actor: Actor, organizationId: string, paging: Paging): Promise<Paged<AgentView>> {
    authorize(actor, 'agent:read', organizationId)
    const here = eq(agents.organizationId, organizationId)
    const rows = await db.read
      .select()
      .from(agents)
      .where(here)
      .orderBy(desc(agents.createdAt), desc(agents.id))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const total = await db.read.$count(agents, here)
    return pageOf(await views(actor, rows), total, paging)
  }

  async function get(
    actor: Actor,
    organizationId: string,
    id: string,
    { includeCollection = false }: { includeCollection?: boolean } = {},
  ): Promise<AgentView> {
    authorize(actor, 'agent:read', organizationId)
    const row = await findAgent(db.read, organizationId, id)
    const [view] = await views(actor, [row])
    if (!view) throw notFound()
    return includeCollection ? { ...view, collection: await collectionOf(db.read, row) } : view
  }

  /** 'Use defaults' takes the organization's provider, model and key. */
  async function create(actor: Actor, organizationId: string, input: AgentInput): Promise<AgentView> {
    authorize(actor, 'agent:add', organizationId)
    const createdBy = personOf(actor)
    const id = await db.write(async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      assertBelow(plan.agents, await tx.$count(agents, eq(agents.organizationId, organizationId)), 'agents')
      const chosen = input.useDefaults ? await defaultsOf(tx, organizationId) : serverDefaults()
      const values = {
        organizationId,
        name: input.name,
        description: input.description,
        createdBy,
        ...chosen,
        ...agentDefaults,
      }
      const [row] = await tx.insert(agents).values(values).returning({ id: agents.id })
      if (!row) throw new Error('The agent was not stored.')
      return row.id
    })
    return get(actor, organizationId, id)
  }

  async function update(
    actor: Actor,
    organizationId: string,
    id: string,
    input: { name: string; description: string },
  ): Promise<AgentView> {
    return change(actor, organizationId, id, { name: input.name, description: input.description })
  }

  async function saveSettings(
    actor: Actor,
    organizationId: string,
    id: string,
    input: AgentSettings,
  ): Promise<AgentView> {
    authorize(actor, 'agent:edit', organizationId)
    const before = await findAgent(db.read, organizationId, id)
    // A key belongs to its provider: the key of the one before is of no use to the next.
    const kept = before.provider === input.provider ? before.providerKey : null
    const providerKey = keyAfterEdit(sealer, input.provider_key, kept, keyData(organizationId))
    return change(actor, organizationId, id, {
      provider: input.provider,
      providerKey,
      providerKeyRefused: before.providerKeyRefused && providerKey === before.providerKey,
      model: input.model,
      prompt: input.prompt,
      fragmentSimilarity: input.fragment_similarity,
      fragmentLimit: input.fragment_limit,
      maxTotalOutputTokens: input.max_total_output_tokens,
      historyLimit: input.history_limit,
      messageLength: input.message_length,
    })
  }

  async function link(
    actor: Actor,
    organizationId: string,
    id: string,
    { collectionId }: { collectionId: string | null },
  ): Promise<AgentView> {
    authorize(actor, 'agent:edit', organizationId)
    if (collectionId !== null) await findCollection(db.read, organizationId, collectionId)
    return change(actor, organizationId, id, { collectionId })
  }

  /** Its threads and messages stay. */
  async function remove(actor: Actor, organizationId: string, id: string): Promise<void> {
    authorize(actor, 'agent:edit', organizationId)
    await findAgent(db.read, organizationId, id)
    await db.write((tx) => tx.delete(agents).where(eq(agents.id, id)))
  }

  async function change(actor: Actor, organizationId: string, id: string, set: Partial<AgentRow>): Promise<AgentView> {
    authorize(actor, 'agent:edit', organizationId)
    await findAgent(db.read, organizationId, id)
    await db.write((tx) =>
      tx
        .update(agents)
        .set(set)
        .where(and(eq(agents.id, id), eq(agents.organizationId, organizationId))),
    )
    return get(actor, organizationId, id)
  }

  async function views(actor: Actor, rows: AgentRow[]): Promise<AgentView[]> {
    const filled = await collectionsWithData(
      db.read,
      rows.flatMap((row) => row.collectionId ?? []),
    )
    return rows.map((row) => view(actor, row, statusOf(row, filled)))
  }

  function statusOf(row: AgentRow, filled: { sources: Set<string>; fragments: Set<string> }): AgentStatus {
    if (!row.collectionId) return agentStatuses.noCollection
    if (!filled.sources.has(row.collectionId)) return agentStatuses.noSources
    if (!filled.fragments.has(row.collectionId)) return agentStatuses.noFragments
    if (!row.provider || !row.model || (!row.providerKey && !hasServerKey(row.provider)))
      return agentStatuses.noProviderKey
    return row.providerKeyRefused ? agentStatuses.invalidProviderKey : agentStatuses.operational
  }

  /** Where the server's configuration holds a key, an agent works from its first minute. */
  function serverDefaults(): Partial<AgentRow> {
    const provider = providers.find(hasServerKey)
    return provider ? { provider, model: modelChoices[provider][0] ?? null } : {}
  }

  async function defaultsOf(queries: Queries, organizationId: string): Promise<Partial<AgentRow>> {
    const [row] = await queries.select().from(organizationTable).where(eq(organizationTable.id, organizationId))
    const provider = providers.find((name) => name === row?.defaultAgentProvider)
    if (!row || !provider) return serverDefaults()
    const sealed = row.defaultAgentProviderKey
    const key =
      sealed === null ? null : sealer.open(sealed, `${organizationId}:organizations.default_agent_provider_key`)
    return {
      provider,
      model: row.defaultAgentModel ?? modelChoices[provider][0] ?? null,
      providerKey: key === null ? null : sealer.seal(key, keyData(organizationId)),
    }
  }

  function view(actor: Actor, row: AgentRow, status: AgentStatus): AgentView {
    const edit = can(actor, 'agent:edit', row.organizationId)
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      status,
      collection_id: row.collectionId,
      provider: row.provider,
      provider_key: hint(sealer, row.providerKey, keyData(row.organizationId)),
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

  return { list, get, create, update, saveSettings, link, remove }
}

export type Agents = ReturnType<typeof createAgents>

/** The agent's row, or not_found. */
export async function findAgent(queries: Queries, organizationId: string, id: string): Promise<AgentRow> {
  const [row] = await queries
    .select()
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.organizationId, organizationId)))
  if (!row) throw notFound()
  return row
}

/** What a sealed agent key is bound to. */
export function keyData(organizationId: string): string {
  return `${organizationId}:agents.provider_key`
}

async function collectionOf(queries: Queries, row: AgentRow): Promise<{ id: string; name: string } | null> {
  if (!row.collectionId) return null
  const [collection] = await queries
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(eq(collections.id, row.collectionId))
  return collection ?? null
}

async function collectionsWithData(
  queries: Queries,
  ids: string[],
): Promise<{ sources: Set<string>; fragments: Set<string> }> {
  if (ids.length === 0) return { sources: new Set(), fragments: new Set() }
  const withSources = await queries
    .select({ id: sources.collectionId, many: count() })
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
