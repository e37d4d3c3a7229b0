import { createInvitation, listInvitations } from '../../../../contract/api/organizations'
import { defaultPageSizes } from '../../../../contract/values/limits'
import { api, methods } from '../../../http/api/api.server'
import { pagingOf } from '../../../http/api/paging.server'

const route = methods({
  GET: api({
    operation: listInvitations,
    handler: async ({ services, actor, param, query }) => ({
      invitations: await services.invitations.list(
        actor,
        param('organizationId'),
        pagingOf(query, defaultPageSizes.invitations),
      ),
    }),
  }),
  POST: api({
    operation: createInvitation,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      invitation: await services.invitations.create(actor, param('organizationId'), body),
    }),
  }),
})

export const loader = route
export const action = route
