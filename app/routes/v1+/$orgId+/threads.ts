import { defaultPageSizes } from '../../../../contract/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param, query }) => ({
      threads: await services.threads.list(actor, param('orgId'), {
        ...pagingOf(query, defaultPageSizes.threads),
        agentId: query.get('agentId') || undefined,
        createdBy: query.get('createdBy') || undefined,
      }),
    }),
  }),
})

export const loader = route
export const action = route
