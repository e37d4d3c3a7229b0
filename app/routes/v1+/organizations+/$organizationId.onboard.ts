import { onboardOrganization } from '../../../../contract/api/organizations'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  POST: api({
    operation: onboardOrganization,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      organization: await services.organizations.onboard(actor, param('organizationId'), body),
    }),
  }),
})

export const loader = route
export const action = route
