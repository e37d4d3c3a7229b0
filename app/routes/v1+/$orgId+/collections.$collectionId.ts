import { deleteCollection, getCollection, updateCollection } from '../../../../contract/api/collections'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: getCollection,
    handler: async ({ services, actor, param }) => ({
      collection: await services.collections.get(actor, param('orgId'), param('collectionId')),
    }),
  }),
  PUT: api({
    operation: updateCollection,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      collection: await services.collections.update(actor, param('orgId'), param('collectionId'), body),
    }),
  }),
  DELETE: api({
    operation: deleteCollection,
    handler: ({ services, actor, param }) => services.collections.remove(actor, param('orgId'), param('collectionId')),
  }),
})

export const loader = route
export const action = route
