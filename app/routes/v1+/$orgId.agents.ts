import { agentSchema } from '../../../contract/agent'
import { defaultPageSizes } from '../../../contract/limits'
import { api, methods } from '../../http/api/api.server'
import { pagingOf } from '../../http/api/paging.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param, query }) => ({
      agents: await app.agents.list(actor, param('orgId'), pagingOf(query, defaultPageSizes.agents)),
    }),
  }),
  POST: api({
    schema: agentSchema,
    status: 201,
    handler: async ({ app, actor, param, body }) => ({
      success: true,
      agent: await app.agents.create(actor, param('orgId'), body),
    }),
  }),
})

export const loader = route
export const action = route
