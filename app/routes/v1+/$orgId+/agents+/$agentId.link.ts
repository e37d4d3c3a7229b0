import { linkAgent } from '../../../../../contract/api/agents'
import { api, methods } from '../../../../http/api/api.server'
import { agentRef } from '../../../../http/api/refs.server'

const route = methods({
  PUT: api({
    operation: linkAgent,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      agent: await services.agents.link(actor, agentRef(param), body),
    }),
  }),
})

export const loader = route
export const action = route
