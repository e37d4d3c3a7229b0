import { and, eq, isNull } from 'drizzle-orm'
import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { providerLabels } from '../../../contract/values/enumerations'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { budgetFor } from '../../engine/answering/context-size'
import { systemMessage } from '../../engine/answering/prompt'
import { AppError } from '../../errors'
import type { AgentRow } from '../agents/agent-views'
import { agentKey, type KeyDeps, organizationKey } from '../keys/agent-keys'

interface PrepareDeps extends KeyDeps {
  queries: Queries
}

/**
 * Returns the settings of an agent's answers. The collection's model and prompt serve an agent that has none. Throws
 * not_found if the collection has no fragments, and conflict for an agent that cannot answer.
 */
export async function prepareAnswer({ queries, ...deps }: PrepareDeps, agent: AgentRow) {
  if (agent.archivedAt !== null) throw new AppError('conflict', 'This agent is archived and no longer answers.')
  if (agent.disabled) throw new AppError('conflict', 'This agent is disabled. An administrator can enable it again.')
  const collection = await collectionWithFragments(queries, agent.collectionId)
  const { provider } = agent
  const model = agent.model ?? collection.agentModel
  if (provider === null || model === null) {
    throw new AppError(
      'conflict',
      'This agent has no AI provider yet. Ask an administrator to choose one in Agent Settings. Search works without it.',
    )
  }
  const key = agentKey(deps, agent, await organizationKey(queries, agent.organizationId))
  if (!key) {
    throw new AppError(
      'conflict',
      `This agent has no API key for ${providerLabels[provider]} yet. Ask an administrator to save one in Agent Settings. Search works without it.`,
    )
  }
  const system = agent.prompt ?? collection.agentPrompt
  return {
    collectionId: collection.id,
    provider,
    model,
    apiKey: key.apiKey,
    system,
    fragmentLimit: agent.fragmentLimit,
    similarity: agent.fragmentSimilarity,
    historyLimit: agent.historyLimit,
    translatesQuestions: agent.translatesQuestions,
    maxOutputTokens: agent.maxTotalOutputTokens,
    budget: budgetFor(provider, model, agent.maxTotalOutputTokens, systemMessage(system).length),
  }
}

/** Throws invalid_input for a prompt longer than the agent allows. */
export function assertPromptLength(prompt: string, { messageLength }: Pick<AgentRow, 'messageLength'>): void {
  if (prompt.length <= messageLength) return
  const message = `A message to this agent can have at most ${messageLength} characters.`
  throw new AppError('invalid_input', message, {
    details: { title: chatFailures.invalidPrompt.title, fields: { prompt: [message] } },
  })
}

/** Throws the contract's not_found for a missing collection, and for one without fragments. */
async function collectionWithFragments(queries: Queries, collectionId: string | null) {
  const [found] =
    collectionId === null
      ? []
      : await queries
          .select({
            id: collections.id,
            agentModel: collections.agentModel,
            agentPrompt: collections.agentPrompt,
          })
          .from(fragments)
          .innerJoin(collections, eq(collections.id, fragments.collectionId))
          .innerJoin(sources, eq(sources.id, fragments.sourceId))
          .where(
            and(eq(fragments.collectionId, collectionId), isNull(collections.deletedAt), isNull(sources.deletedAt)),
          )
          .limit(1)
  if (found) return found
  const { title, message } = chatFailures.noFragments
  throw new AppError('not_found', message, { details: { title } })
}
