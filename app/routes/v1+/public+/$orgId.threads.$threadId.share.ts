import { shareThread, unshareThread } from '../../../../contract/api/chat'
import { apiWithKeysAndSessions, methods } from '../../../http/api/api.server'
import { threadRef } from '../../../http/api/refs.server'

const route = methods({
  POST: apiWithKeysAndSessions({
    operation: shareThread,
    handler: async ({ services, actor, param, visitorToken }) => {
      const ref = threadRef(param)
      const caller = await services.visitors.admit(actor, ref.threadId, visitorToken)
      return { success: true, thread: await services.sharedThreads.share(caller, ref) }
    },
  }),
  DELETE: apiWithKeysAndSessions({
    operation: unshareThread,
    handler: async ({ services, actor, param, visitorToken }) => {
      const ref = threadRef(param)
      const caller = await services.visitors.admit(actor, ref.threadId, visitorToken)
      return { success: true, thread: await services.sharedThreads.unshare(caller, ref) }
    },
  }),
})

export const loader = route
export const action = route
