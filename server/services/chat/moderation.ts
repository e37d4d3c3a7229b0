import type { Provider } from '../../../contract/enumerations'
import { chatFailures } from '../../../contract/texts/chat-failures'
import { systemPromptFlagged } from '../../../contract/texts/moderation'
import type { Moderator } from '../../engine/ports'
import { AppError } from '../../errors'
import type { ServerKeys } from '../keys/agent-keys'

interface Deps {
  moderator: Moderator
  serverKeys: ServerKeys
  log: { warn(details: object, message: string): void }
}

/** The provider of an agent, and the key that the agent uses for it. */
interface ProviderKey {
  provider: Provider | null
  apiKey: string | null
}

const maxCheckMs = 10_000

/**
 * Rejects harmful text where the agent or the server has a key of OpenAI. Text that cannot be checked is admitted: an
 * outage of the moderation must not stop the answers of other providers.
 */
export function createModeration({ moderator, serverKeys, log }: Deps) {
  /** Throws flagged for a harmful message. */
  async function assertPrompt(key: ProviderKey, prompt: string, signal: AbortSignal): Promise<void> {
    if (await isFlagged(key, prompt, signal)) throw flagged(chatFailures.flagged.title)
  }

  /** Throws flagged for a harmful system prompt. */
  async function assertSystemPrompt(key: ProviderKey, prompt: string | null | undefined): Promise<void> {
    if (!prompt) return
    if (await isFlagged(key, prompt, AbortSignal.timeout(maxCheckMs))) throw flagged(systemPromptFlagged.title)
  }

  async function isFlagged(key: ProviderKey, text: string, signal: AbortSignal): Promise<boolean> {
    const apiKey = moderationKey(key, serverKeys)
    if (apiKey === null) return false
    try {
      return await moderator.isFlagged(text, apiKey, signal)
    } catch (error) {
      // Without the error itself, whose text can contain the key.
      const reason = error instanceof Error ? error.name : 'unknown'
      if (!signal.aborted) log.warn({ reason }, 'A text could not be checked by the moderation.')
      return false
    }
  }

  return { assertPrompt, assertSystemPrompt }
}

export type Moderation = ReturnType<typeof createModeration>

/** Returns the key of OpenAI that checks an agent's texts: the agent's, else the server's; null without one. */
export function moderationKey({ provider, apiKey }: ProviderKey, serverKeys: ServerKeys): string | null {
  return (provider === 'openai' ? apiKey : null) ?? serverKeys.openai?.apiKey ?? null
}

function flagged(title: string): AppError {
  return new AppError('flagged', systemPromptFlagged.message, { details: { title } })
}
