import { previewPage } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'

const route = methods({
  POST: api({
    operation: previewPage,
    handler: async ({ services, actor, param, body, context: { signal } }) => ({
      preview: await services.pagePreviews.preview(actor, param('orgId'), param('collectionId'), body, signal),
    }),
  }),
})

export const loader = route
export const action = route
