import { api, methods } from '../../../../http/api/api.server'
import { fileResponse } from '../../../../http/uploads/file-download.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param, context }) =>
      fileResponse(
        await services.fileSources.original(actor, param('orgId'), param('collectionId'), param('sourceId')),
        context,
      ),
  }),
})

export const loader = route
export const action = route
