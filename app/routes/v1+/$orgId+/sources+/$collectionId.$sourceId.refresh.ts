import { refreshSchema } from '../../../../../contract/source'
import { api, methods } from '../../../../http/api/api.server'

const route = methods({
  POST: api({
    schema: refreshSchema,
    handler: ({ services, actor, param, body, context: { signal } }) =>
      services.runControl.refresh(actor, param('orgId'), param('collectionId'), param('sourceId'), body, { signal }),
  }),
})

export const loader = route
export const action = route
