import type { Database } from '../../../db/database'
import type { Actor } from '../../actor'
import { AppError, isProviderError } from '../../errors'
import { authorize } from '../../policy'
import { type AgentRef, findAgent } from '../agents/agents'
import type { KeyDeps } from '../keys/agent-keys'
import type { Suggestions } from '../suggestions/suggestions'
import { prepareAnswer } from './prepare-answer'

interface Deps extends KeyDeps {
  db: Pick<Database, 'read'>
  suggestions: Pick<Suggestions, 'ofCollection' | 'write'>
}

/**
 * Proposes questions for an agent, which it does not store: from the headings of its collection, or written by its model.
 * Throws conflict for an agent without a collection or without a model, and upstream_failed where the provider fails.
 */
export function createSuggestQuestions({ db, sealer, serverKeys, suggestions }: Deps) {
  return async (actor: Actor, ref: AgentRef, from: 'collection' | 'model'): Promise<string[]> => {
    authorize(actor, 'agent:edit', ref.organizationId)
    const agent = await findAgent(db.read, ref)
    if (agent.collectionId === null) throw new AppError('conflict', 'Link a collection first.')
    if (from === 'collection') return suggestions.ofCollection(agent.collectionId, null)
    const settings = await prepareAnswer({ queries: db.read, sealer, serverKeys }, agent)
    try {
      return await suggestions.write(settings.collectionId, settings)
    } catch (error) {
      if (!isProviderError(error)) throw error
      throw new AppError('upstream_failed', error.message, { cause: error })
    }
  }
}
