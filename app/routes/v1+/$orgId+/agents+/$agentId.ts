import { agentUpdateSchema } from '../../../../../contract/agent'
import { api, methods } from '../../../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param, query }) => {
      const includeCollection = query.get('includeCollection') === 'true'
      return { agent: await services.agents.get(actor, param('orgId'), param('agentId'), { includeCollection }) }
    },
  }),
  PUT: api({
    schema: agentUpdateSchema,
    handler: async ({ services, actor, param, body }) => {
      const { agents } = services
      const agent =
        'provider' in body
          ? await agents.saveSettings(actor, param('orgId'), param('agentId'), body)
          : await agents.update(actor, param('orgId'), param('agentId'), body)
      return { success: true, agent }
    },
  }),
  DELETE: api({
    handler: ({ services, actor, param }) => services.agents.remove(actor, param('orgId'), param('agentId')),
  }),
})

export const loader = route
export const action = route
