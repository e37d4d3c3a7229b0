import { api, methods } from '../../http/api/api.server'
import { editSource } from '../../http/uploads/source-upload.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param }) => ({
      source: await app.sources.get(actor, param('orgId'), param('collectionId'), param('sourceId')),
    }),
  }),
  PUT: api({
    handler: async ({ context, request, actor, param }) => {
      const place = [actor, param('orgId'), param('collectionId')] as const
      return { success: true, source: await editSource(context, request, place, param('sourceId')) }
    },
  }),
  DELETE: api({
    handler: ({ app, actor, param }) =>
      app.sources.remove(actor, param('orgId'), param('collectionId'), param('sourceId')),
  }),
})

export const loader = route
export const action = route
