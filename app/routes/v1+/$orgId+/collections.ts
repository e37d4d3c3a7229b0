import { collectionSchema } from '../../../../contract/collection'
import { defaultPageSizes } from '../../../../contract/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
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
    schema: collectionSchema,
    status: 201,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      collection: await services.collections.create(actor, param('orgId'), body),
    }),
  }),
})

export const loader = route
export const action = route
