import { getUserGrowth } from '../../../../contract/api/admin'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: getUserGrowth,
    handler: async ({ services, actor }) => services.admin.userGrowth(actor),
  }),
})

export const loader = route
export const action = route
