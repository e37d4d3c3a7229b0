import { api, methods } from '../../http/api/api.server'
import { sourceProgress } from '../../http/streams/source-progress.server'
import { eventStream } from '../../http/streams/sse.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param, context: { signal } }) => {
      const load = () => app.sources.get(actor, param('orgId'), param('collectionId'), param('sourceId'))
      return eventStream(signal, sourceProgress(load, await load(), signal), app.log)
    },
  }),
})

export const loader = route
export const action = route
