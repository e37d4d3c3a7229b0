import { deleteThread, getThread } from '../../../../contract/api/chat'
import { api, methods } from '../../../http/api/api.server'
import { threadRef } from '../../../http/api/refs.server'

const route = methods({
  GET: api({
    operation: getThread,
    handler: async ({ services, actor, param, query }) => {
      const { messages, ...thread } = await services.threads.get(actor, threadRef(param))
      return { thread: query.get('messages') === 'true' ? { ...thread, messages } : thread }
    },
  }),
  DELETE: api({
    operation: deleteThread,
    handler: ({ services, actor, param }) => services.threads.remove(actor, threadRef(param)),
  }),
})

export const loader = route
export const action = route
