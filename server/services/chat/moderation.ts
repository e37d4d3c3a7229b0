import { chatFailures } from '../../../contract/texts/chat-failures'
import { systemPromptFlagged } from '../../../contract/texts/moderation'
import type { Moderator } from '../../engine/ports'
import { AppError } from '../../errors'
import type { Sealer } from '../../sealing'
import type { AgentRow } from '../agents/agent-views'
import { keySealingContext } from '../keys/agent-keys'

interface Deps {
  moderator: Moderator
  sealer: Pick<Sealer, 'open'>
  /** OpenAI's key in the server's configuration. */
  serverKey: string | null
  log: { warn(details: object, message: string): void }
}

type KeyHolder = Pick<AgentRow, 'provider' | 'providerKey' | 'organizationId'>

/**
 * Rejects harmful text where the agent or the server has a key of OpenAI. Text that cannot be checked is admitted: an
 * outage of the moderation must not stop the answers of other providers.
 */
export function createModeration({ moderator, sealer, serverKey, log }: Deps) {
  /** Whether prompts of the agent are checked. */
  function isActive(agent: KeyHolder): boolean {
    return serverKey !== null || (agent.provider === 'openai' && agent.providerKey !== null)
  }

  /** Throws flagged for a harmful message. */
  async function assertPrompt(agent: KeyHolder, prompt: string, signal: AbortSignal): Promise<void> {
    if (await isFlagged(keyOf(agent), prompt, signal)) throw flagged(chatFailures.flagged.title)
  }

  /** Throws flagged for a harmful system prompt. */
  async function assertSystemPrompt(agent: KeyHolder | null, prompt: string | null | undefined): Promise<void> {
    if (prompt && (await isFlagged(agent ? keyOf(agent) : serverKey, prompt, AbortSignal.timeout(maxCheckMs)))) {
      throw flagged(systemPromptFlagged.title)
    }
  }

  function keyOf({ provider, providerKey, organizationId }: KeyHolder): string | null {
    const isOwn = provider === 'openai' && providerKey !== null
    return isOwn ? sealer.open(providerKey, keySealingContext(organizationId)) : serverKey
  }

  async function isFlagged(apiKey: string | null, text: string, signal: AbortSignal): Promise<boolean> {
    if (apiKey === null) return false
    try {
      return await moderator.isFlagged(text, apiKey, signal)
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'A text could not be checked by the moderation.')
      return false
    }
  }

  return { isActive, assertPrompt, assertSystemPrompt }
}

export type Moderation = ReturnType<typeof createModeration>

const maxCheckMs = 10_000

function flagged(title: string): AppError {
  return new AppError('flagged', systemPromptFlagged.message, { details: { title } })
}
