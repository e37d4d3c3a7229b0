import { api, methods } from '../../../http/api/api.server'

/** The fragments that an answer was generated from, as they were at that time. */
const route = methods({
  GET: api({
    handler: async ({ services, actor, param }) => ({
      fragments: await services.threads.messageFragments(actor, param('orgId'), param('threadId'), param('messageId')),
    }),
  }),
})

export const loader = route
export const action = route
