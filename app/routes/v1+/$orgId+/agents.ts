import { createAgent, listAgents } from '../../../../contract/api/agents'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
    operation: listAgents,
    handler: async ({ services, actor, param, query }) => ({
      agents: await services.agents.list(actor, param('orgId'), pagingOf(query, defaultPageSizes.agents)),
    }),
  }),
  POST: api({
    operation: createAgent,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      agent: await services.agents.create(actor, param('orgId'), body),
    }),
  }),
})

export const loader = route
export const action = route
