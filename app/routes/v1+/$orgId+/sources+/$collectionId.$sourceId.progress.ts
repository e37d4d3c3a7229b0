import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'
import { sourceProgress } from '../../../../http/streams/source-progress.server'
import { eventStream } from '../../../../http/streams/sse.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param, context }) => {
      const load = () => services.sources.get(actor, sourceRef(param))
      return eventStream(context, sourceProgress(load, await load(), context.signal))
    },
  }),
})

export const loader = route
export const action = route
