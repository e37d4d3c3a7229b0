import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Catalog } from '../../../contract/chat/mcp'
import { agentStatusLabels } from '../../../contract/values/enumerations'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { organizations } from '../../../db/schema/organizations'
import type { Actor } from '../../actor'
import { AppError } from '../../errors'
import { can } from '../../policy'
import type { CollectionRef } from '../collections/collections'
import type { KeyDeps } from '../keys/agent-keys'
import { type AgentRow, agentViews } from './agent-views'
import type { AgentRef } from './agents'

type CatalogDeps = KeyDeps & { db: Database }
type NamedTable = typeof agents | typeof collections | typeof organizations
type Named = { id: string; name: string }

/** Agents, and collections, of one catalog. */
const maxEntries = 100
const maxSources = 500
/** Names in a message that asks for one of them. */
const maxChoices = 20

/** What a program reaches with its credential: with a key one agent, with an access token all agents and collections of its organizations. */
export function createCatalog({ db, ...deps }: CatalogDeps) {
  /** Lists everything, or what is in one organization. Throws not_found for an organization that the actor does not reach. */
  async function list(actor: Actor, organization: string | null): Promise<Catalog> {
    const only = organization === null ? null : (await organizationFor(actor, organization)).id
    const agentRows = await db.read
      .select({ agent: agents, organization: named(organizations), collection: named(collections) })
      .from(agents)
      .innerJoin(organizations, eq(organizations.id, agents.organizationId))
      .leftJoin(collections, eq(collections.id, agents.collectionId))
      .where(and(agentsOf(actor), only ? eq(agents.organizationId, only) : undefined))
      .orderBy(asc(agents.name), asc(agents.id))
      .limit(maxEntries + 1)
    const collectionRows = await db.read
      .select({ collection: collections, organization: named(organizations) })
      .from(collections)
      .innerJoin(organizations, eq(organizations.id, collections.organizationId))
      .where(and(collectionsOf(actor), only ? eq(collections.organizationId, only) : undefined))
      .orderBy(asc(collections.name), asc(collections.id))
      .limit(maxEntries + 1)
    const shown = collectionRows.slice(0, maxEntries)
    const collectionIds = shown.map(({ collection }) => collection.id)
    const sourceRows = await db.read
      .select()
      .from(sources)
      .where(and(inArray(sources.collectionId, collectionIds), isNull(sources.deletedAt)))
      .orderBy(asc(sources.name), asc(sources.id))
      .limit(maxSources + 1)
    const listedAgents = agentRows.slice(0, maxEntries)
    const statuses = await statusesOf(
      actor,
      listedAgents.map(({ agent }) => agent),
    )
    return {
      agents: listedAgents.map(({ agent: { id, name, description }, organization, collection }) => {
        return { id, name, description, organization, collection, status: statuses.get(id) ?? '' }
      }),
      collections: shown.map(({ collection: { id, name, description }, organization }) => ({
        id,
        name,
        description,
        organization,
        sources: sourceRows
          .slice(0, maxSources)
          .filter(({ collectionId }) => collectionId === id)
          .map((source) => ({
            name: source.name,
            type: source.type,
            url: source.url,
            file_name: source.fileName,
            status: source.status,
            refreshed_at: source.refreshedAt?.toISOString() ?? null,
          })),
      })),
      is_truncated: [
        agentRows.length > maxEntries,
        collectionRows.length > maxEntries,
        sourceRows.length > maxSources,
      ].includes(true),
    }
  }

  /**
   * Finds the agent with an id or a name; without one the only agent that the actor reaches. Throws not_found, and
   * invalid_input with the agents to choose from.
   */
  async function agentFor(actor: Actor, wanted: string | null): Promise<AgentRef> {
    const { id, organizationId } = await oneOf(agents, agentsOf(actor), wanted, 'agent')
    return { organizationId, agentId: id }
  }

  /** Finds the collection with an id or a name. Throws as `agentFor` does. */
  async function collectionFor(actor: Actor, wanted: string): Promise<CollectionRef> {
    const { id, organizationId } = await oneOf(collections, collectionsOf(actor), wanted, 'collection')
    return { organizationId, collectionId: id }
  }

  /** Finds the organization with an id or a name. Throws as `agentFor` does. */
  async function organizationFor(actor: Actor, wanted: string): Promise<{ id: string }> {
    const reached = and(inArray(organizations.id, organizationsOf(actor)), isNull(organizations.deletedAt))
    return oneOf(organizations, reached, wanted, 'organization')
  }

  async function oneOf<Table extends NamedTable>(
    table: Table,
    reached: SQL | undefined,
    wanted: string | null,
    noun: string,
  ): Promise<Table['$inferSelect']> {
    const byName = wanted === null ? undefined : sql`lower(${table.name}) = ${wanted.toLowerCase()}`
    const isWanted = wanted === null ? undefined : or(eq(table.id, wanted), byName)
    const rows: Table['$inferSelect'][] = await db.read
      .select()
      .from(table as NamedTable)
      .where(and(reached, isWanted))
      .orderBy(asc(table.name), asc(table.id))
      .limit(maxChoices)
    const exact = rows.find(({ id }) => id === wanted)
    const [first] = exact ? [exact] : rows
    if (!first) throw new AppError('not_found', nothingReached(noun, wanted))
    if (!exact && rows.length > 1) throw new AppError('invalid_input', choiceOf(noun, rows))
    return first
  }

  async function statusesOf(actor: Actor, rows: AgentRow[]): Promise<Map<string, string>> {
    const ids = [...new Set(rows.map(({ organizationId }) => organizationId))]
    const views = await Promise.all(
      ids.map((id) => {
        const ofOrganization = rows.filter(({ organizationId }) => organizationId === id)
        return agentViews(db.read, deps, actor, ofOrganization)
      }),
    )
    return new Map(views.flat().map(({ id, status }) => [id, agentStatusLabels[status]]))
  }

  /** Returns the condition for the collections that an actor reaches; with a key, the collection of its agent. */
  function collectionsOf(actor: Actor): SQL | undefined {
    const ofAgent = db.read.select({ id: agents.collectionId }).from(agents).where(agentsOf(actor))
    const reached =
      actor.kind === 'key'
        ? inArray(collections.id, ofAgent)
        : inArray(collections.organizationId, organizationsOf(actor))
    return and(reached, isNull(collections.deletedAt))
  }

  return { list, agentFor, collectionFor, organizationFor }
}

function agentsOf(actor: Actor): SQL | undefined {
  const reached = inArray(agents.organizationId, organizationsOf(actor))
  return actor.kind === 'key' ? and(reached, eq(agents.id, actor.agentId)) : reached
}

function organizationsOf(actor: Actor): string[] {
  if (actor.kind === 'key') return [actor.organizationId]
  if (actor.kind !== 'person') return []
  return actor.memberships.map(({ organizationId }) => organizationId).filter((id) => can(actor, 'agent:chat', id))
}

function named<Table extends NamedTable>({ id, name }: Table): Pick<Table, 'id' | 'name'> {
  return { id, name }
}

function nothingReached(noun: string, wanted: string | null): string {
  if (wanted === null) return `There is no ${noun} yet. Create one in the dashboard.`
  return `There is no ${noun} '${wanted}', or this credential cannot access it. list_sources shows what it can access.`
}

function choiceOf(noun: string, rows: Named[]): string {
  const choices = rows.map(({ id, name }) => `${name} (${id})`)
  return `Choose the ${noun}: ${choices.join(', ')}`
}
