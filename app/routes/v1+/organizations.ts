import { createOrganization } from '../../../contract/api/organizations'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    operation: createOrganization,
    handler: async ({ services, actor, body }) => ({
      success: true,
      organization: await services.organizations.create(actor, body),
    }),
  }),
})

export const loader = route
export const action = route
