import { and, desc, eq } from 'drizzle-orm'
import type { AgentInput, AgentPatch, AgentSettings } from '../../../contract/chat/agent'
import { agentStatusLabels, type Provider, providers } from '../../../contract/values/enumerations'
import { agentDefaults } from '../../../contract/values/limits'
import type { Paged, SortedPaging } from '../../../contract/values/paging'
import type { AgentSort } from '../../../contract/values/sorts'
import type { AgentView, PublicAgentView } from '../../../contract/views/chat/agent'
import type { Database, Queries } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { organizations as organizationTable } from '../../../db/schema/organizations'
import { contains, lower } from '../../../db/sql'
import { type Actor, personOf } from '../../actor'
import { AppError } from '../../errors'
import { authorize, authorizeAgent, notFound } from '../../policy'
import type { Sealer } from '../../sealing'
import { changedFields, recordEvent } from '../audit/record-event'
import { findCollection } from '../collections/collections'
import { agentKey, keySealingContext, organizationKey, type ServerKeys } from '../keys/agent-keys'
import { updateSealedKey } from '../keys/provider-keys'
import type { Moderation } from '../moderation/moderation'
import type { Organizations } from '../organizations/organizations'
import { orderOf, pageOf, rowsBefore } from '../paging'
import type { Suggestions } from '../suggestions/suggestions'
import { assertWithinPlan } from '../usage/plan-limits'
import { type AgentRow, agentViews, linkedCollection, logoPath } from './agent-views'

/** An agent, with the organization that it has to be in. */
export interface AgentRef {
  organizationId: string
  agentId: string
}

export interface AgentsDeps {
  db: Database
  sealer: Sealer
  organizations: Organizations
  moderation: Pick<Moderation, 'assertSystemPrompt'>
  serverKeys: ServerKeys
  suggestions: Pick<Suggestions, 'ofAgent'>
  /** The model of agents that take the provider by default. */
  defaultModel(provider: Provider): string | null
}

const maxOfCollection = 100
const sortColumns = { name: lower(agents.name), created_at: agents.createdAt }
const newestFirst = [desc(agents.createdAt), desc(agents.id)]

export function createAgents({ db, sealer, organizations, moderation, serverKeys, ...deps }: AgentsDeps) {
  const { suggestions, defaultModel } = deps

  async function list(
    actor: Actor,
    organizationId: string,
    { sort, search, ...paging }: SortedPaging<AgentSort>,
  ): Promise<Paged<AgentView>> {
    authorize(actor, 'agent:read', organizationId)
    const matching = and(eq(agents.organizationId, organizationId), search ? contains(agents.name, search) : undefined)
    // The status is computed, so the database cannot sort by it.
    if (sort?.field === 'status') {
      const rows = await db.read
        .select()
        .from(agents)
        .where(matching)
        .orderBy(...newestFirst)
      const views = await agentViews(db.read, { sealer, serverKeys }, actor, rows)
      const first = rowsBefore(paging)
      return pageOf(byStatus(views, sort.descending).slice(first, first + paging.limit), views.length, paging)
    }
    const order = sort && { field: sort.field, descending: sort.descending }
    const rows = await db.read
      .select()
      .from(agents)
      .where(matching)
      .orderBy(...orderOf(sortColumns, order, newestFirst))
      .limit(paging.limit)
      .offset(rowsBefore(paging))
    const total = await db.read.$count(agents, matching)
    return pageOf(await agentViews(db.read, { sealer, serverKeys }, actor, rows), total, paging)
  }

  /** Lists the agents that answer from a collection, the newest first, at most 100. */
  async function ofCollection(actor: Actor, organizationId: string, collectionId: string): Promise<AgentView[]> {
    authorize(actor, 'agent:read', organizationId)
    const rows = await db.read
      .select()
      .from(agents)
      .where(and(eq(agents.organizationId, organizationId), eq(agents.collectionId, collectionId)))
      .orderBy(...newestFirst)
      .limit(maxOfCollection)
    return agentViews(db.read, { sealer, serverKeys }, actor, rows)
  }

  async function get(
    actor: Actor,
    ref: AgentRef,
    { includeCollection = false }: { includeCollection?: boolean } = {},
  ): Promise<AgentView> {
    authorize(actor, 'agent:read', ref.organizationId)
    const row = await findAgent(db.read, ref)
    const view = { ...(await viewOf(actor, row)), suggestions: await suggestions.ofAgent(row, null) }
    return includeCollection ? { ...view, collection: await linkedCollection(db.read, row) } : view
  }

  /** Returns what a page or a program with a key of the agent may know of it. `language` is the visitor's. */
  async function ofKey(actor: Actor, ref: AgentRef, language: string | null): Promise<PublicAgentView> {
    authorizeAgent(actor, 'agent:chat', ref)
    const row = await findAgent(db.read, ref)
    const { id, name } = row
    return { id, name, logo: logoPath(row), suggestions: await suggestions.ofAgent(row, language) }
  }

  /** Returns the agent as a model that a program with its key can name. */
  async function modelOfKey(actor: Actor, ref: AgentRef): Promise<{ id: string; createdAt: Date }> {
    authorizeAgent(actor, 'agent:chat', ref)
    const { id, createdAt } = await findAgent(db.read, ref)
    return { id, createdAt }
  }

  /**
   * `useDefaults` copies the organization's provider and model, and lets the agent use its key. Throws not_found for a
   * collection of another organization.
   */
  async function create(actor: Actor, organizationId: string, input: AgentInput): Promise<AgentView> {
    authorize(actor, 'agent:add', organizationId)
    const createdBy = personOf(actor)
    const row = await db.writeAlone(organizationId, async (tx) => {
      const plan = await organizations.planOf(tx, organizationId)
      const used = await tx.$count(agents, eq(agents.organizationId, organizationId))
      assertWithinPlan({ actor, organizationId }, plan.agents, used, 'agent')
      const { name, description, collectionId } = input
      if (collectionId !== undefined) await findCollection(tx, organizationId, collectionId)
      const provider = input.useDefaults ? await defaultsOf(tx, organizationId) : {}
      const [added] = await tx
        .insert(agents)
        .values({ organizationId, name, description, collectionId, createdBy, ...provider, ...agentDefaults })
        .returning()
      if (!added) throw new Error('The agent was not stored.')
      return added
    })
    return viewOf(actor, row)
  }

  function update(actor: Actor, ref: AgentRef, patch: Partial<AgentPatch>): Promise<AgentView> {
    const { name, description, disabled, archived } = patch
    return edit(actor, ref, (before) => ({ name, description, disabled, archivedAt: archivedSince(before, archived) }))
  }

  /** Throws flagged for a harmful system prompt. */
  async function saveSettings(actor: Actor, ref: AgentRef, input: AgentSettings): Promise<AgentView> {
    authorize(actor, 'agent:edit', ref.organizationId)
    await moderation.assertSystemPrompt(await keyAfter(ref, input), input.prompt)
    return edit(actor, ref, (before) => {
      // A key and a model belong to their provider.
      const { provider = before.provider } = input
      const isSame = provider === before.provider
      if (!isSame && input.model === undefined) throw missingModel()
      const storedKey = isSame ? before.providerKey : null
      const providerKey = updateSealedKey(sealer, input.provider_key, storedKey, keySealingContext(ref.organizationId))
      return {
        provider,
        providerKey,
        // The same key, saved again, may be valid now.
        ...(input.provider_key ? { refusedKeyHash: null } : {}),
        model: input.model,
        prompt: input.prompt,
        fragmentSimilarity: input.fragment_similarity,
        fragmentLimit: input.fragment_limit,
        maxTotalOutputTokens: input.max_total_output_tokens,
        historyLimit: input.history_limit,
        messageLength: input.message_length,
        translatesQuestions: input.translate_questions,
        suggestions: input.suggestions,
        failedAnswers: 0,
        testFailure: null,
      }
    })
  }

  /** Returns the provider and the key that the agent has with the new settings; no key if it cannot be decrypted. */
  async function keyAfter(ref: AgentRef, { provider, provider_key: newKey }: AgentSettings) {
    const row = await findAgent(db.read, ref)
    const changed = provider !== undefined && provider !== row.provider
    const after = changed ? { ...row, provider, providerKey: null } : row
    if (newKey) return { provider: after.provider, apiKey: newKey }
    const organization = await organizationKey(db.read, ref.organizationId)
    try {
      return { provider: after.provider, apiKey: agentKey({ sealer, serverKeys }, after, organization)?.apiKey ?? null }
    } catch {
      return { provider: after.provider, apiKey: null }
    }
  }

  async function link(
    actor: Actor,
    ref: AgentRef,
    { collectionId }: { collectionId: string | null },
  ): Promise<AgentView> {
    authorize(actor, 'agent:edit', ref.organizationId)
    if (collectionId !== null) await findCollection(db.read, ref.organizationId, collectionId)
    return edit(actor, ref, () => ({ collectionId }))
  }

  /** Keeps the agent's threads and messages. */
  async function remove(actor: Actor, ref: AgentRef): Promise<void> {
    authorize(actor, 'agent:edit', ref.organizationId)
    await db.write(async (tx) => {
      const [removed] = await tx.delete(agents).where(matches(ref)).returning()
      if (!removed) throw notFound()
      await recordEvent(tx, actor, { ...eventOf(removed), action: 'agent.deleted' })
    })
  }

  /** Stores what `changesOf` returns; undefined fields keep what is stored. */
  async function edit(
    actor: Actor,
    ref: AgentRef,
    changesOf: (before: AgentRow) => { [Field in keyof AgentRow]?: AgentRow[Field] | undefined },
  ): Promise<AgentView> {
    authorize(actor, 'agent:edit', ref.organizationId)
    const row = await db.writeAlone(ref.agentId, async (tx) => {
      const before = await findAgent(tx, ref)
      const changes = changesOf(before)
      if (Object.values(changes).every((value) => value === undefined)) return before
      const [after] = await tx.update(agents).set(changes).where(eq(agents.id, ref.agentId)).returning()
      // Saving the settings also resets what the product itself notes about the agent.
      const { refusedKeyHash: _, failedAnswers: _f, testFailure: _t, ...settings } = changes
      const fields = changedFields(before, settings)
      if (fields.length > 0)
        await recordEvent(tx, actor, { ...eventOf(before), action: 'agent.edited', changes: fields })
      return after ?? before
    })
    return viewOf(actor, row)
  }

  async function viewOf(actor: Actor, row: AgentRow): Promise<AgentView> {
    const [view] = await agentViews(db.read, { sealer, serverKeys }, actor, [row])
    if (!view) throw notFound()
    return view
  }

  /** The organization's default provider, else the first one with a key in the server's configuration. */
  async function defaultsOf(queries: Queries, organizationId: string): Promise<Partial<AgentRow>> {
    const [row] = await queries.select().from(organizationTable).where(eq(organizationTable.id, organizationId))
    const own = providers.find((name) => name === row?.defaultAgentProvider)
    if (own) return { provider: own, model: row?.defaultAgentModel ?? defaultModel(own), usesOrganizationKey: true }
    const provider = providers.find((name) => serverKeys[name])
    return provider ? { provider, model: defaultModel(provider) } : {}
  }

  return { list, ofCollection, get, ofKey, modelOfKey, create, update, saveSettings, link, remove }
}

export type Agents = ReturnType<typeof createAgents>

/** Throws not_found. */
export async function findAgent(queries: Queries, ref: AgentRef): Promise<AgentRow> {
  const [row] = await queries.select().from(agents).where(matches(ref))
  if (!row) throw notFound()
  return row
}

/** Undefined to keep what is stored. */
function archivedSince({ archivedAt }: AgentRow, archived: boolean | undefined): Date | null | undefined {
  if (archived === undefined) return undefined
  return archived ? (archivedAt ?? new Date()) : null
}

/** Sorts by the word that people read; agents of one status keep their order. */
function byStatus(views: AgentView[], descending: boolean): AgentView[] {
  const direction = descending ? -1 : 1
  const label = ({ status }: AgentView) => agentStatusLabels[status]
  return views.sort((first, second) => direction * label(first).localeCompare(label(second), 'en'))
}

function eventOf({ id, organizationId, name }: AgentRow) {
  return { organizationId, subject: { id, name } }
}

function matches({ organizationId, agentId }: AgentRef) {
  return and(eq(agents.id, agentId), eq(agents.organizationId, organizationId))
}

function missingModel(): AppError {
  const message = 'Choose a model'
  return new AppError('invalid_input', message, { details: { fields: { model: [message] } } })
}
