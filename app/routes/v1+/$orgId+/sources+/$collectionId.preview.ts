import { previewSource } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { collectionRef } from '../../../../http/api/refs.server'
import { previewStream } from '../../../../http/streams/preview-stream.server'

const route = methods({
  POST: api({
    operation: previewSource,
    handler: ({ services, actor, reauthenticate, param, body, context }) =>
      previewStream(
        context,
        services.sources.preview(actor, collectionRef(param), body, context.signal, reauthenticate),
      ),
  }),
})

export const loader = route
export const action = route
