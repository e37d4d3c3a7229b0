import { inspectAgent } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectAgent,

    handler: async ({ services, actor, param }) => ({ agent: await services.admin.agent(actor, param('id')) }),
  }),
})

export const loader = route
export const action = route
