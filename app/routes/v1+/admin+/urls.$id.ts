import { inspectAddress } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectAddress,
    handler: async ({ services, actor, param }) => ({ url: await services.admin.url(actor, param('id')) }),
  }),
})

export const loader = route
export const action = route
