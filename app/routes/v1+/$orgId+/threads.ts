import { listThreads } from '../../../../contract/api/chat'
import { threadFilterSchema } from '../../../../contract/chat/thread-filter'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
    operation: listThreads,
    handler: async ({ services, actor, param, query }) => ({
      threads: await services.threads.list(actor, param('orgId'), {
        ...pagingOf(query, defaultPageSizes.threads),
        ...threadFilterSchema.parse(Object.fromEntries(query)),
      }),
    }),
  }),
})

export const loader = route
export const action = route
