import { organizationSchema } from '../../../contract/organization'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    schema: organizationSchema,
    status: 201,
    handler: async ({ app, actor, body }) => ({
      success: true,
      organization: await app.organizations.create(actor, body),
    }),
  }),
})

export const loader = route
export const action = route
