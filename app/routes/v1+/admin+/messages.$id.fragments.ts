import { inspectMessageFragments } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectMessageFragments,

    handler: async ({ services, actor, param }) => ({
      fragments: await services.admin.messageFragments(actor, param('id')),
    }),
  }),
})

export const loader = route
export const action = route
