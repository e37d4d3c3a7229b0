import { inspectUser } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectUser,

    handler: async ({ services, actor, param }) => ({ user: await services.admin.user(actor, param('id')) }),
  }),
})

export const loader = route
export const action = route
