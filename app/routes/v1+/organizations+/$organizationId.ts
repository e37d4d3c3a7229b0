import { getOrganization, updateOrganization } from '../../../../contract/api/organizations'
import { invalidState } from '../../../../contract/texts/invalid-state'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: getOrganization,
    withoutToken: invalidState.organization,
    handler: async ({ services, actor, param }) => ({
      organization: await services.organizationDetails.get(actor, param('organizationId')),
    }),
  }),
  PUT: api({
    operation: updateOrganization,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      organization: await services.organizations.update(actor, param('organizationId'), body),
    }),
  }),
})

export const loader = route
export const action = route
