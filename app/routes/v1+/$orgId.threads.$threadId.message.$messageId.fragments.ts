import { api, methods } from '../../http/api.server'

/** What an answer was made from, as it was then. */
const route = methods({
  GET: api({
    handler: async ({ app, actor, param }) => ({
      fragments: await app.threads.messageFragments(actor, param('orgId'), param('threadId'), param('messageId')),
    }),
  }),
})

export const loader = route
export const action = route
