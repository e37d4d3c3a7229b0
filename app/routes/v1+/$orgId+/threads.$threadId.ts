import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param, query }) => {
      const { messages, ...thread } = await services.threads.get(actor, param('orgId'), param('threadId'))
      return { thread: query.get('messages') === 'true' ? { ...thread, messages } : thread }
    },
  }),
  DELETE: api({
    handler: ({ services, actor, param }) => services.threads.remove(actor, param('orgId'), param('threadId')),
  }),
})

export const loader = route
export const action = route
