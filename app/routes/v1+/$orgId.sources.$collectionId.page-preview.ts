import { pagePreviewSchema } from '../../../contract/page-preview'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    schema: pagePreviewSchema,
    handler: async ({ app, actor, param, body, context: { signal } }) => ({
      preview: await app.pagePreviews.preview(actor, param('orgId'), param('collectionId'), body, signal),
    }),
  }),
})

export const loader = route
export const action = route
