import { organizationEditSchema } from '../../../../contract/organization'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param }) => ({
      organization: await services.organizations.get(actor, param('organizationId')),
    }),
  }),
  PUT: api({
    schema: organizationEditSchema,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      organization: await services.organizations.update(actor, param('organizationId'), body),
    }),
  }),
})

export const loader = route
export const action = route
