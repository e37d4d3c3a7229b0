import { and, eq, isNull } from 'drizzle-orm'
import { type Provider, providerLabels } from '../../../contract/enumerations'
import type { Queries } from '../../../db/database'
import { fragments } from '../../../db/schema/addresses'
import { collections, sources } from '../../../db/schema/collections'
import { nothingFound } from '../../engine/answering/answer'
import { AppError } from '../../errors'
import type { Sealer } from '../../sealing'
import { type AgentRow, keySealingContext } from '../agents/agent-views'

/** Of the server's configuration, for agents without a key of their own: null without one, `apiKey` null if none is needed. */
export type ServerKeys = Record<Provider, { apiKey: string | null } | null>

interface PrepareDeps {
  queries: Queries
  sealer: Pick<Sealer, 'open'>
  serverKeys: ServerKeys
}

/** Returns the input of an agent's answers. Throws not_found without fragments, conflict without a provider or key. */
export async function prepareAnswer({ queries, sealer, serverKeys }: PrepareDeps, agent: AgentRow) {
  const { collectionId, provider, model } = agent
  if (collectionId === null || !(await hasFragments(queries, collectionId))) throw nothingFound()
  if (provider === null || model === null) {
    throw new AppError(
      'conflict',
      'This agent has no AI provider yet. An administrator chooses one in Agent Settings. Search works without it.',
    )
  }
  return {
    collectionId,
    provider,
    model,
    apiKey: keyFor({ sealer, serverKeys }, agent, provider),
    system: agent.prompt,
    fragmentLimit: agent.fragmentLimit,
    similarity: agent.fragmentSimilarity,
    historyLimit: agent.historyLimit,
    maxOutputTokens: agent.maxTotalOutputTokens,
  }
}

/** Throws invalid_input for a prompt longer than the agent allows. */
export function assertPromptLength(prompt: string, { messageLength }: Pick<AgentRow, 'messageLength'>): void {
  if (prompt.length <= messageLength) return
  const message = `A message to this agent can have at most ${messageLength} characters.`
  throw new AppError('invalid_input', message, {
    details: { title: 'Failed to send message', fields: { prompt: [message] } },
  })
}

async function hasFragments(queries: Queries, collectionId: string): Promise<boolean> {
  const [one] = await queries
    .select({ key: fragments.key })
    .from(fragments)
    .innerJoin(collections, eq(collections.id, fragments.collectionId))
    .innerJoin(sources, eq(sources.id, fragments.sourceId))
    .where(and(eq(fragments.collectionId, collectionId), isNull(collections.deletedAt), isNull(sources.deletedAt)))
    .limit(1)
  return one !== undefined
}

/** The agent's own key, else the server's. */
function keyFor(
  { sealer, serverKeys }: Pick<PrepareDeps, 'sealer' | 'serverKeys'>,
  agent: AgentRow,
  provider: Provider,
): string | null {
  if (agent.providerKey !== null) {
    if (!agent.providerKeyRefused) return sealer.open(agent.providerKey, keySealingContext(agent.organizationId))
    throw new AppError(
      'conflict',
      `${providerLabels[provider]} refused this agent's API key. An administrator saves a valid one in Agent Settings.`,
    )
  }
  const serverKey = serverKeys[provider]
  if (serverKey) return serverKey.apiKey
  throw new AppError(
    'conflict',
    `This agent has no API key for ${providerLabels[provider]} yet. An administrator saves one in Agent Settings. Search works without it.`,
  )
}
