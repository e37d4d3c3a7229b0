import { listThreads } from '../../../../contract/api/chat'
import { defaultPageSizes } from '../../../../contract/limits'
import { threadFilterSchema } from '../../../../contract/thread-filter'
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
