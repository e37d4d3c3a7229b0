import { linkSchema } from '../../../../../contract/agent'
import { api, methods } from '../../../../http/api/api.server'

const route = methods({
  PUT: api({
    schema: linkSchema,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      agent: await services.agents.link(actor, param('orgId'), param('agentId'), body),
    }),
  }),
})

export const loader = route
export const action = route
