import { listMessageFragments } from '../../../../contract/api/chat'
import { api, methods } from '../../../http/api/api.server'
import { threadRef } from '../../../http/api/refs.server'

/** The fragments that an answer was generated from, as they were at that time. */
const route = methods({
  GET: api({
    operation: listMessageFragments,
    handler: async ({ services, actor, param }) => ({
      fragments: await services.threads.messageFragments(actor, threadRef(param), param('messageId')),
    }),
  }),
})

export const loader = route
export const action = route
