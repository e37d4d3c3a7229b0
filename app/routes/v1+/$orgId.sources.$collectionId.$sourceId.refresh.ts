import { refreshSchema } from '../../../contract/source'
import { api, methods } from '../../http/api.server'

const route = methods({
  POST: api({
    schema: refreshSchema,
    handler: ({ app, actor, param, body }) =>
      app.sources.refresh(actor, param('orgId'), param('collectionId'), param('sourceId'), body),
  }),
})

export const loader = route
export const action = route
