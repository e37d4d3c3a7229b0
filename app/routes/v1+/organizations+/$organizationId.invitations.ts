import { invitationSchema } from '../../../../contract/member'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param }) => ({
      invitations: await services.invitations.list(actor, param('organizationId')),
    }),
  }),
  POST: api({
    schema: invitationSchema,
    status: 201,
    handler: async ({ services, actor, param, body }) => ({
      success: true,
      invitation: await services.invitations.create(actor, param('organizationId'), body),
    }),
  }),
})

export const loader = route
export const action = route
