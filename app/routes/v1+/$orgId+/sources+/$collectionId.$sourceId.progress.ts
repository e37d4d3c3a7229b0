import { watchSource } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'
import { sourceProgress } from '../../../../http/streams/source-progress.server'
import { eventStream } from '../../../../http/streams/sse.server'

const route = methods({
  GET: api({
    operation: watchSource,
    handler: async ({ services, actor, reauthenticate, param, context }) => {
      const first = await services.sources.get(actor, sourceRef(param))
      const load = async () => services.sources.get(await reauthenticate(), sourceRef(param))
      return eventStream(context, sourceProgress(load, first, context.signal))
    },
  }),
})

export const loader = route
export const action = route
