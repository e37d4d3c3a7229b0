import { api, methods } from '../../http/api.server'

const route = methods({
  POST: api({
    handler: async ({ app, actor, param }) => ({
      success: true,
      source: await app.sources.cancel(actor, param('orgId'), param('collectionId'), param('sourceId')),
    }),
  }),
})

export const loader = route
export const action = route
