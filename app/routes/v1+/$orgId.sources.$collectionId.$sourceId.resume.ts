import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    handler: async ({ app, actor, param }) => {
      const place = [actor, param('orgId'), param('collectionId'), param('sourceId')] as const
      await app.runControl.resume(...place)
      return { success: true, source: await app.sources.get(...place) }
    },
  }),
})

export const loader = route
export const action = route
