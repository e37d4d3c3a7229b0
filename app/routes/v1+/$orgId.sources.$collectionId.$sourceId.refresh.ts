import { refreshSchema } from '../../../contract/source'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    schema: refreshSchema,
    handler: ({ app, actor, param, body, context: { signal } }) =>
      app.runControl.refresh(actor, param('orgId'), param('collectionId'), param('sourceId'), body, { signal }),
  }),
})

export const loader = route
export const action = route
