import { collectionEditSchema } from '../../../../contract/collection'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param }) => ({
      collection: await services.collections.get(actor, param('orgId'), param('collectionId')),
    }),
  }),
  PUT: api({
    schema: collectionEditSchema,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      collection: await services.collections.update(actor, param('orgId'), param('collectionId'), body),
    }),
  }),
  DELETE: api({
    handler: ({ services, actor, param }) => services.collections.remove(actor, param('orgId'), param('collectionId')),
  }),
})

export const loader = route
export const action = route
