import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param, query }) => {
      const { messages, ...thread } = await app.threads.get(actor, param('orgId'), param('threadId'))
      return { thread: query.get('messages') === 'true' ? { ...thread, messages } : thread }
    },
  }),
  DELETE: api({
    handler: ({ app, actor, param }) => app.threads.remove(actor, param('orgId'), param('threadId')),
  }),
})

export const loader = route
export const action = route
