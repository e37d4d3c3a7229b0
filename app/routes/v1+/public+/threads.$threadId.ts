import { getVisitorThread } from '../../../../contract/api/visitors'
import { apiOfKeys, methods } from '../../../http/api/api.server'

/** A thread, for the visitor who began it. */
const route = methods({
  GET: apiOfKeys({
    operation: getVisitorThread,
    handler: async ({ services, actor, param, visitorToken }) => {
      const threadId = param('threadId')
      const visitor = await services.visitors.admit(actor, threadId, visitorToken)
      return { thread: await services.visitorThreads.get(visitor, threadId) }
    },
  }),
})

export const loader = route
export const action = route
