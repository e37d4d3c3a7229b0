import { listModels } from '../../../contract/api/visitors'
import { apiOfPrivateKeys, methods } from '../../http/api/api.server'
import { agentOfKey } from '../../http/api/refs.server'
import { openAiFailure } from '../../http/streams/openai.server'

/** The agent of the key, as OpenAI lists its models. */
const route = methods({
  GET: apiOfPrivateKeys({
    operation: listModels,
    failed: openAiFailure,
    handler: async ({ services, actor }) => {
      const { id, createdAt } = await services.agents.ofKey(actor, agentOfKey(actor))
      const created = Math.floor(createdAt.getTime() / 1000)
      return { object: 'list', data: [{ id, object: 'model', created, owned_by: 'sitelore' }] }
    },
  }),
})

export const loader = route
export const action = route
