import { inspectThread } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectThread,

    handler: async ({ services, actor, param }) => ({ thread: await services.admin.thread(actor, param('id')) }),
  }),
})

export const loader = route
export const action = route
