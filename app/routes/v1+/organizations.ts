import { organizationSchema } from '../../../contract/organization'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    schema: organizationSchema,
    status: 201,
    handler: async ({ services, actor, body }) => ({
      success: true,
      organization: await services.organizations.create(actor, body),
    }),
  }),
})

export const loader = route
export const action = route
