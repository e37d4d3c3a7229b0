import { agentUpdateSchema } from '../../../../../contract/agent'
import { api, methods } from '../../../../http/api/api.server'
import { agentRef } from '../../../../http/api/refs.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param, query }) => {
      const includeCollection = query.get('includeCollection') === 'true'
      return { agent: await services.agents.get(actor, agentRef(param), { includeCollection }) }
    },
  }),
  PUT: api({
    schema: agentUpdateSchema,
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
    handler: ({ services, actor, param }) => services.agents.remove(actor, agentRef(param)),
  }),
})

export const loader = route
export const action = route
