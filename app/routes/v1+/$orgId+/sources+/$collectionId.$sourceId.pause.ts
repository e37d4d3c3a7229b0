import { api, methods } from '../../../../http/api/api.server'

const route = methods({
  POST: api({
    handler: async ({ services, actor, param }) => {
      const place = [actor, param('orgId'), param('collectionId'), param('sourceId')] as const
      await services.runControl.pause(...place)
      return { success: true, source: await services.sources.get(...place) }
    },
  }),
})

export const loader = route
export const action = route
