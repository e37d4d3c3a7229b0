import { api, methods } from '../../../../http/api/api.server'
import { editSource } from '../../../../http/uploads/source-upload.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param }) => ({
      source: await services.sources.get(actor, param('orgId'), param('collectionId'), param('sourceId')),
    }),
  }),
  PUT: api({
    handler: async ({ context, request, actor, param }) => {
      const place = [actor, param('orgId'), param('collectionId')] as const
      return { success: true, source: await editSource(context, request, place, param('sourceId')) }
    },
  }),
  DELETE: api({
    handler: ({ services, actor, param }) =>
      services.sources.remove(actor, param('orgId'), param('collectionId'), param('sourceId')),
  }),
})

export const loader = route
export const action = route
