import { collectionEditSchema } from '../../../contract/collection'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param }) => ({
      collection: await app.collections.get(actor, param('orgId'), param('collectionId')),
    }),
  }),
  PUT: api({
    schema: collectionEditSchema,
    handler: async ({ app, actor, param, body }) => ({
      success: true,
      collection: await app.collections.update(actor, param('orgId'), param('collectionId'), body),
    }),
  }),
  DELETE: api({
    handler: ({ app, actor, param }) => app.collections.remove(actor, param('orgId'), param('collectionId')),
  }),
})

export const loader = route
export const action = route
