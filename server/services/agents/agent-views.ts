import { and, eq, exists, inArray, isNull } from 'drizzle-orm'
import type { AgentStatus } from '../../../contract/values/enumerations'
import type { AgentSettingsView, AgentView } from '../../../contract/views/chat/agent'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import type { agents } from '../../../db/schema/agents'
import { collections, sources } from '../../../db/schema/collections'
import { keychains } from '../../../db/schema/keychains'
import type { Actor } from '../../actor'
import { can } from '../../policy'
import {
  agentKey,
  type KeyDeps,
  keyHash,
  keySealingContext,
  type OrganizationKey,
  organizationKey,
} from '../keys/agent-keys'
import { keyHint } from '../keys/provider-keys'
import { moderationKey } from '../moderation/moderation'
import { agentStatusOf } from './agent-status'

type KeychainRow = typeof keychains.$inferSelect

export type AgentRow = typeof agents.$inferSelect

/** Returns the views of agents of one organization for an actor, with computed status, in the order of the rows. */
export async function agentViews(
  queries: Queries,
  deps: KeyDeps,
  actor: Actor,
  rows: AgentRow[],
): Promise<AgentView[]> {
  const [first] = rows
  if (!first) return []
  const ids = rows.flatMap((row) => row.collectionId ?? [])
  const facts = await collectionFacts(queries, ids)
  const organization = await organizationKey(queries, first.organizationId)
  const agentIds = rows.map(({ id }) => id)
  const chains = await queries.select().from(keychains).where(inArray(keychains.agentId, agentIds))
  return rows.map((row) => {
    const collection = row.collectionId === null ? undefined : facts.get(row.collectionId)
    const key = keyState(deps, row, organization)
    const status = statusOf(row, collection, key)
    return agentView(
      deps,
      actor,
      row,
      key,
      status,
      chains.find(({ agentId }) => agentId === row.id),
    )
  })
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

interface CollectionFacts {
  hasSources: boolean
  hasFragments: boolean
  agentModel: string | null
}

interface KeyState {
  /** Null without one, and for one that cannot be decrypted. */
  apiKey: string | null
  source: AgentView['key_source']
  isInvalid: boolean
}

/** A key that cannot be decrypted is invalid, so that the settings, where another one is saved, still load. */
function keyState(deps: KeyDeps, row: AgentRow, organization: OrganizationKey | null): KeyState {
  try {
    const key = agentKey(deps, row, organization)
    const isInvalid = key !== null && row.refusedKeyHash !== null && keyHash(key.apiKey) === row.refusedKeyHash
    return { apiKey: key?.apiKey ?? null, source: key?.source ?? null, isInvalid }
  } catch {
    return { apiKey: null, source: row.providerKey === null ? 'organization' : 'agent', isInvalid: true }
  }
}

function statusOf(row: AgentRow, collection: CollectionFacts | undefined, key: KeyState): AgentStatus {
  return agentStatusOf({
    isArchived: row.archivedAt !== null,
    isDisabled: row.disabled,
    hasCollection: row.collectionId !== null,
    hasSources: collection?.hasSources ?? false,
    hasFragments: collection?.hasFragments ?? false,
    hasProvider: key.source !== null && (row.model ?? collection?.agentModel ?? null) !== null,
    isKeyRefused: key.isInvalid,
    failedAnswers: row.failedAnswers,
    hasFailedTest: row.testFailure !== null,
  })
}

function agentView(
  deps: KeyDeps,
  actor: Actor,
  row: AgentRow,
  key: KeyState,
  status: AgentStatus,
  keychain: KeychainRow | undefined,
): AgentView {
  const edit = can(actor, 'agent:edit', row.organizationId)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status,
    disabled: row.disabled,
    collection_id: row.collectionId,
    key_source: key.source,
    message_length: row.messageLength,
    organization_id: row.organizationId,
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    abilities: { edit, delete: edit, link: edit, settings: edit },
    ...(edit ? settingsView(deps, row, key, keychain) : {}),
  }
}

function settingsView(
  { sealer, serverKeys }: KeyDeps,
  row: AgentRow,
  { apiKey }: KeyState,
  keychain: KeychainRow | undefined,
): AgentSettingsView {
  return {
    provider: row.provider,
    provider_key: keyHint(sealer, row.providerKey, keySealingContext(row.organizationId)),
    model: row.model,
    prompt: row.prompt,
    test_failure: row.testFailure,
    fragment_similarity: row.fragmentSimilarity,
    fragment_limit: row.fragmentLimit,
    max_total_output_tokens: row.maxTotalOutputTokens,
    history_limit: row.historyLimit,
    translate_questions: row.translatesQuestions,
    own_suggestions: row.suggestions,
    logo: logoPath(row),
    moderation: moderationKey({ provider: row.provider, apiKey }, serverKeys) !== null,
    keychain: keychain ? { allowed_ips: keychain.allowedIps, allowed_origins: keychain.allowedOrigins } : null,
  }
}

/** The path has the version of the content, so that browsers can keep it. */
export function logoPath({ id, logoVersion }: Pick<AgentRow, 'id' | 'logoVersion'>): string | null {
  return logoVersion === null ? null : `/logo/${encodeURIComponent(id)}?v=${logoVersion}`
}

async function collectionFacts(queries: Queries, ids: string[]): Promise<Map<string, CollectionFacts>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const models = await queries
    .select({ id: collections.id, agentModel: collections.agentModel })
    .from(collections)
    .where(inArray(collections.id, distinct))
  const withSources = await queries
    .selectDistinct({ id: sources.collectionId })
    .from(sources)
    .where(and(inArray(sources.collectionId, distinct), isNull(sources.deletedAt)))
  const ofCollection = queries
    .select({ key: fragments.key })
    .from(fragments)
    .where(eq(fragments.collectionId, collections.id))
  const withFragments = await queries
    .select({ id: collections.id })
    .from(collections)
    .where(and(inArray(collections.id, distinct), exists(ofCollection)))
  const sourced = new Set(withSources.map(({ id }) => id))
  const filled = new Set(withFragments.map(({ id }) => id))
  return new Map(
    models.map(({ id, agentModel }) => {
      return [id, { hasSources: sourced.has(id), hasFragments: filled.has(id), agentModel }]
    }),
  )
}
