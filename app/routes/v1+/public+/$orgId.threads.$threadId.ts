import { deletePublicThread } from '../../../../contract/api/chat'
import { apiWithKeysAndSessions, methods } from '../../../http/api/api.server'
import { threadRef } from '../../../http/api/refs.server'

/** Deletes a thread: an administrator any thread, a visitor the own one. */
const route = methods({
  DELETE: apiWithKeysAndSessions({
    operation: deletePublicThread,
    handler: async ({ services, actor, param, visitorToken }) => {
      const ref = threadRef(param)
      await services.threads.remove(await services.visitors.admit(actor, ref.threadId, visitorToken), ref)
    },
  }),
})

export const loader = route
export const action = route
