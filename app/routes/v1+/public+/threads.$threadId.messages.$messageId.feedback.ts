import { giveFeedback } from '../../../../contract/api/visitors'
import { apiOfKeys, methods } from '../../../http/api/api.server'

/** A visitor's opinion of an answer. */
const route = methods({
  POST: apiOfKeys({
    operation: giveFeedback,
    handler: async ({ services, actor, param, body, visitorToken }) => {
      const threadId = param('threadId')
      const visitor = await services.visitors.admit(actor, threadId, visitorToken)
      await services.visitorThreads.giveFeedback(visitor, threadId, param('messageId'), body)
      return { success: true }
    },
  }),
})

export const loader = route
export const action = route
