import { sourceSchema } from '../../../contract/source'
import { api, methods } from '../../http/api/api.server'
import { previewStream } from '../../http/streams/preview-stream.server'

const route = methods({
  POST: api({
    schema: sourceSchema,
    form: true,
    handler: ({ app, actor, param, body, context: { signal } }) =>
      previewStream(app, signal, app.sources.preview(actor, param('orgId'), param('collectionId'), body, signal)),
  }),
})

export const loader = route
export const action = route
