import { listMembers } from '../../../../contract/api/organizations'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
    operation: listMembers,
    handler: async ({ services, actor, param, query }) => ({
      members: await services.members.list(actor, param('organizationId'), pagingOf(query, defaultPageSizes.members)),
    }),
  }),
})

export const loader = route
export const action = route
