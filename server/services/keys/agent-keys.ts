import { createHash } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Provider } from '../../../contract/values/enumerations'
import type { Queries, Transaction } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import { organizations } from '../../../db/schema/organizations'
import type { Sealer } from '../../sealing'

/** Keys of the server's configuration: null without one, `apiKey` null if the provider's server needs none. */
export type ServerKeys = Record<Provider, { apiKey: string | null } | null>

export interface AgentKey {
  /** Null for a server that needs none. */
  apiKey: string | null
  source: 'agent' | 'organization' | 'server'
}

export interface KeyDeps {
  sealer: Pick<Sealer, 'open'>
  serverKeys: ServerKeys
}

/** The columns that decide which key an agent uses. */
export type KeyOwner = Pick<
  typeof agents.$inferSelect,
  'organizationId' | 'provider' | 'providerKey' | 'usesOrganizationKey'
>

/** The organization's default provider and its sealed key. */
export interface OrganizationKey {
  provider: string | null
  sealedKey: string | null
}

/** Returns the agent's own key, else the organization's if the agent uses it, else the server's; null without one. */
export function agentKey(
  { sealer, serverKeys }: KeyDeps,
  agent: KeyOwner,
  organization: OrganizationKey | null,
): AgentKey | null {
  const { organizationId, provider, providerKey, usesOrganizationKey } = agent
  if (provider === null) return null
  if (providerKey !== null)
    return { apiKey: sealer.open(providerKey, keySealingContext(organizationId)), source: 'agent' }
  if (usesOrganizationKey && organization?.provider === provider && organization.sealedKey !== null) {
    const apiKey = sealer.open(organization.sealedKey, organizationKeySealingContext(organizationId))
    return { apiKey, source: 'organization' }
  }
  const serverKey = serverKeys[provider]
  return serverKey && { apiKey: serverKey.apiKey, source: 'server' }
}

export async function organizationKey(queries: Queries, organizationId: string): Promise<OrganizationKey | null> {
  const [row] = await queries
    .select({ provider: organizations.defaultAgentProvider, sealedKey: organizations.defaultAgentProviderKey })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return row ?? null
}

/** The keys that an organization and its agents have stored, without those that cannot be decrypted. */
export async function storedKeys(
  queries: Queries,
  sealer: KeyDeps['sealer'],
  organizationId: string,
): Promise<string[]> {
  const ofAgents = await queries
    .select({ sealed: agents.providerKey })
    .from(agents)
    .where(and(eq(agents.organizationId, organizationId), isNotNull(agents.providerKey)))
  const own = await organizationKey(queries, organizationId)
  const sealed = [
    { text: own?.sealedKey ?? null, context: organizationKeySealingContext(organizationId) },
    ...ofAgents.map((row) => ({ text: row.sealed, context: keySealingContext(organizationId) })),
  ]
  return sealed.flatMap(({ text, context }) => {
    try {
      return text === null ? [] : sealer.open(text, context)
    } catch {
      return []
    }
  })
}

/** The associated data of a sealed agent key. */
export function keySealingContext(organizationId: string): string {
  return `${organizationId}:agents.provider_key`
}

/** The associated data of an organization's sealed default key. */
export function organizationKeySealingContext(organizationId: string): string {
  return `${organizationId}:organizations.default_agent_provider_key`
}

/** Identifies a key, so that a refused one is recognized without being stored. */
export function keyHash(apiKey: string | null): string {
  return createHash('sha256')
    .update(apiKey ?? '')
    .digest('hex')
}

/** Marks the key of an agent as refused. */
export async function markKeyRefused(tx: Transaction, agentId: string, apiKey: string | null): Promise<void> {
  await tx
    .update(agents)
    .set({ refusedKeyHash: keyHash(apiKey) })
    .where(eq(agents.id, agentId))
}

/** Notes that a provider accepted a key, and clears the mark of its refusal for all agents of the organization. */
export async function markKeyAccepted(tx: Transaction, organizationId: string, apiKey: string | null): Promise<void> {
  await tx
    .update(agents)
    .set({ refusedKeyHash: null })
    .where(and(eq(agents.organizationId, organizationId), eq(agents.refusedKeyHash, keyHash(apiKey))))
  await tx
    .update(organizations)
    .set({ acceptedKeyHash: keyHash(apiKey) })
    .where(eq(organizations.id, organizationId))
}
