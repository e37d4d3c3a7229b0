import { agentUpdateSchema } from '../../../contract/agent'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param, query }) => {
      const includeCollection = query.get('includeCollection') === 'true'
      return { agent: await app.agents.get(actor, param('orgId'), param('agentId'), { includeCollection }) }
    },
  }),
  PUT: api({
    schema: agentUpdateSchema,
    handler: async ({ app, actor, param, body }) => {
      const { agents } = app
      const agent =
        'provider' in body
          ? await agents.saveSettings(actor, param('orgId'), param('agentId'), body)
          : await agents.update(actor, param('orgId'), param('agentId'), body)
      return { success: true, agent }
    },
  }),
  DELETE: api({ handler: ({ app, actor, param }) => app.agents.remove(actor, param('orgId'), param('agentId')) }),
})

export const loader = route
export const action = route
