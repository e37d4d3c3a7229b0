import { sourceEditSchema } from '../../../contract/source'
import { api, methods } from '../../http/api.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param }) => ({
      source: await app.sources.get(actor, param('orgId'), param('collectionId'), param('sourceId')),
    }),
  }),
  PUT: api({
    schema: sourceEditSchema,
    handler: async ({ app, actor, param, body }) => ({
      success: true,
      source: await app.sources.edit(actor, param('orgId'), param('collectionId'), param('sourceId'), body),
    }),
  }),
  DELETE: api({
    handler: ({ app, actor, param }) =>
      app.sources.remove(actor, param('orgId'), param('collectionId'), param('sourceId')),
  }),
})

export const loader = route
export const action = route
