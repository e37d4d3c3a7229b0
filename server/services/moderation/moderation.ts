import { and, asc, eq } from 'drizzle-orm'
import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { systemPromptFlagged } from '../../../contract/texts/chat/moderation'
import type { Provider } from '../../../contract/values/enumerations'
import type { Database } from '../../../db/database'
import { agents } from '../../../db/schema/agents'
import type { Moderator } from '../../engine/ports/chat-model'
import { AppError } from '../../errors'
import { agentKey, type KeyDeps, type KeyOwner, organizationKey, type ServerKeys } from '../keys/agent-keys'

interface Deps extends KeyDeps {
  db: Pick<Database, 'read'>
  moderator: Moderator
  log: { warn(details: object, message: string): void }
}

/** The provider of an agent, and the key that the agent uses for it. */
interface ProviderKey {
  provider: Provider | null
  apiKey: string | null
}

const maxCheckMs = 10_000

/**
 * Rejects harmful text where the agent, the organization or the server has a key of OpenAI, or the server a base URL.
 * Text that cannot be checked is admitted: an outage of the moderation must not stop the answers of other providers.
 */
export function createModeration({ db, sealer, moderator, serverKeys, log }: Deps) {
  /** Throws flagged for a harmful message. */
  async function assertPrompt(key: ProviderKey, prompt: string, signal: AbortSignal): Promise<void> {
    if (await isFlagged(key, prompt, signal)) throw flagged(chatFailures.flagged.title)
  }

  /** Throws flagged for a harmful system prompt. */
  async function assertSystemPrompt(key: ProviderKey, prompt: string | null | undefined): Promise<void> {
    if (!prompt) return
    if (await isFlagged(key, prompt, AbortSignal.timeout(maxCheckMs))) throw flagged(systemPromptFlagged.title)
  }

  /** Throws flagged for a harmful system prompt of a collection. */
  async function assertCollectionPrompt(
    collection: { organizationId: string; collectionId: string },
    prompt: string | null | undefined,
  ): Promise<void> {
    if (prompt) await assertSystemPrompt({ provider: 'openai', apiKey: await collectionKey(collection) }, prompt)
  }

  /** Returns the key of the first agent that could answer with the collection's prompt, else the organization's; or null. */
  async function collectionKey({ organizationId, collectionId }: { organizationId: string; collectionId: string }) {
    const linked = await db.read
      .select()
      .from(agents)
      .where(and(eq(agents.collectionId, collectionId), eq(agents.provider, 'openai')))
      .orderBy(asc(agents.createdAt), asc(agents.id))
    const organization = await organizationKey(db.read, organizationId)
    const inherited = { organizationId, provider: 'openai' as const, providerKey: null, usesOrganizationKey: true }
    const keys = [...linked, inherited].map((owner) => openKey(owner, organization))
    return keys.find((key) => key !== null && key.source !== 'server')?.apiKey ?? null
  }

  /** Null also for a key that cannot be decrypted. */
  function openKey(owner: KeyOwner, organization: Awaited<ReturnType<typeof organizationKey>>) {
    try {
      return agentKey({ sealer, serverKeys }, owner, organization)
    } catch {
      return null
    }
  }

  async function isFlagged(key: ProviderKey, text: string, signal: AbortSignal): Promise<boolean> {
    const found = moderationKey(key, serverKeys)
    if (found === null) return false
    try {
      return await moderator.isFlagged(text, found.apiKey, signal)
    } catch (error) {
      // Without the error itself, whose text can contain the key.
      const reason = error instanceof Error ? error.name : 'unknown'
      if (!signal.aborted) log.warn({ reason }, 'A text could not be checked by the moderation.')
      return false
    }
  }

  return { assertPrompt, assertSystemPrompt, assertCollectionPrompt }
}

export type Moderation = ReturnType<typeof createModeration>

/**
 * Returns the key of OpenAI that checks an agent's texts: the agent's, else the server's, whose `apiKey` is null if the
 * server at OPENAI_BASE_URL needs none. Null if nothing checks them.
 */
export function moderationKey({ provider, apiKey }: ProviderKey, serverKeys: ServerKeys): ServerKeys[Provider] {
  return provider === 'openai' && apiKey !== null ? { apiKey } : serverKeys.openai
}

function flagged(title: string): AppError {
  return new AppError('flagged', systemPromptFlagged.message, { details: { title } })
}
