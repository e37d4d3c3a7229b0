import { getCurrentUser } from '../../../contract/api/organizations'
import { invalidState } from '../../../contract/texts/invalid-state'
import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({
    operation: getCurrentUser,
    withoutToken: invalidState.user,
    accountRequired: true,
    handler: async ({ services, actor }) => ({ user: await services.accounts.currentUser(actor) }),
  }),
})

export const loader = route
export const action = route
