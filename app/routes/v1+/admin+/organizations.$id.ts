import { inspectOrganization } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: inspectOrganization,

    handler: async ({ services, actor, param }) => ({
      organization: await services.admin.organization(actor, param('id')),
    }),
  }),
})

export const loader = route
export const action = route
