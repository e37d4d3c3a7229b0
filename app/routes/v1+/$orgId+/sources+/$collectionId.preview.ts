import { sourceSchema } from '../../../../../contract/sources/source'
import { api, methods } from '../../../../http/api/api.server'
import { previewStream } from '../../../../http/streams/preview-stream.server'

const route = methods({
  POST: api({
    schema: sourceSchema,
    form: true,
    handler: ({ services, actor, param, body, context }) =>
      previewStream(
        context,
        services.sources.preview(actor, param('orgId'), param('collectionId'), body, context.signal),
      ),
  }),
})

export const loader = route
export const action = route
