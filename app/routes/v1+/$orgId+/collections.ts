import { createCollection, listCollections } from '../../../../contract/api/collections'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
    operation: listCollections,
    handler: async ({ services, actor, param, query }) => ({
      success: true,
      collections: await services.collections.list(
        actor,
        param('orgId'),
        pagingOf(query, defaultPageSizes.collections),
      ),
    }),
  }),
  POST: api({
    operation: createCollection,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      collection: await services.collections.create(actor, param('orgId'), body),
    }),
  }),
})

export const loader = route
export const action = route
