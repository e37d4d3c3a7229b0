import { removeMember, updateMember } from '../../../../contract/api/organizations'
import { type ApiCall, api, methods } from '../../../http/api/api.server'

const route = methods({
  PUT: api({
    operation: updateMember,
    handler: async (call) => ({
      success: true,
      member: await call.services.members.changeRole(call.actor, memberRef(call), call.body),
    }),
  }),
  DELETE: api({
    operation: removeMember,
    handler: (call) => call.services.members.remove(call.actor, memberRef(call)),
  }),
})

export const loader = route
export const action = route

function memberRef({ param }: Pick<ApiCall<unknown>, 'param'>) {
  return { organizationId: param('organizationId'), userId: param('userId') }
}
