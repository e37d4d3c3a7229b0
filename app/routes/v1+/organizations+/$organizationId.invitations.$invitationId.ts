import { revokeInvitation } from '../../../../contract/api/organizations'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  DELETE: api({
    operation: revokeInvitation,
    handler: ({ services, actor, param }) =>
      services.invitations.revoke(actor, {
        organizationId: param('organizationId'),
        invitationId: param('invitationId'),
      }),
  }),
})

export const loader = route
export const action = route
