import { organizationEditSchema } from '../../../contract/organization'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param }) => ({
      organization: await app.organizations.get(actor, param('organizationId')),
    }),
  }),
  PUT: api({
    schema: organizationEditSchema,
    handler: async ({ app, actor, param, body }) => ({
      success: true,
      organization: await app.organizations.update(actor, param('organizationId'), body),
    }),
  }),
})

export const loader = route
export const action = route
