import { deleteAgent, getAgent, updateAgent } from '../../../../../contract/api/agents'
import { api, methods } from '../../../../http/api/api.server'
import { agentRef } from '../../../../http/api/refs.server'

const route = methods({
  GET: api({
    operation: getAgent,
    handler: async ({ services, actor, param, query }) => {
      const includeCollection = query.get('includeCollection') === 'true'
      return { agent: await services.agents.get(actor, agentRef(param), { includeCollection }) }
    },
  }),
  PUT: api({
    operation: updateAgent,
    handler: async ({ services, actor, param, body }) => {
      const { agents } = services
      const agent =
        'settings' in body
          ? await agents.saveSettings(actor, agentRef(param), body.settings)
          : await agents.update(actor, agentRef(param), body.edit)
      return { success: true, agent }
    },
  }),
  DELETE: api({
    operation: deleteAgent,
    handler: ({ services, actor, param }) => services.agents.remove(actor, agentRef(param)),
  }),
})

export const loader = route
export const action = route
