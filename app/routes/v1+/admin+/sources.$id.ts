import { inspectSource } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectSource,

    handler: async ({ services, actor, param }) => ({ source: await services.admin.source(actor, param('id')) }),
  }),
})

export const loader = route
export const action = route
