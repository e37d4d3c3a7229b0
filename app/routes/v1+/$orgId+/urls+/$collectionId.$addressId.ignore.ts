import { ignoreAddress } from '../../../../../contract/api/collections'
import { api, methods } from '../../../../http/api/api.server'
import { addressRef } from '../../../../http/api/refs.server'

const route = methods({
  POST: api({
    operation: ignoreAddress,
    handler: async ({ services, actor, param }) => ({
      success: true,
      url: await services.addresses.ignore(actor, addressRef(param)),
    }),
  }),
})

export const loader = route
export const action = route
