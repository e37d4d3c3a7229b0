import { collectionSchema } from '../../../contract/collection'
import { defaultPageSizes } from '../../../contract/limits'
import { api, methods } from '../../http/api/api.server'
import { pagingOf } from '../../http/api/paging.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param, query }) => ({
      success: true,
      collections: await app.collections.list(actor, param('orgId'), pagingOf(query, defaultPageSizes.collections)),
    }),
  }),
  POST: api({
    schema: collectionSchema,
    status: 201,
    handler: async ({ app, actor, param, body }) => ({
      success: true,
      collection: await app.collections.create(actor, param('orgId'), body),
    }),
  }),
})

export const loader = route
export const action = route
