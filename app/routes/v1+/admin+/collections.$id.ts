import { inspectCollection } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectCollection,

    handler: async ({ services, actor, param }) => ({
      collection: await services.admin.collection(actor, param('id')),
    }),
  }),
})

export const loader = route
export const action = route
