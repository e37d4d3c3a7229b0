import { listAddressFragments } from '../../../../../contract/api/collections'
import { defaultPageSizes } from '../../../../../contract/values/limits'
import { api, methods } from '../../../../http/api/api.server'
import { pagingOf } from '../../../../http/api/paging.server'
import { addressRef } from '../../../../http/api/refs.server'

const route = methods({
  GET: api({
    operation: listAddressFragments,
    handler: ({ services, actor, param, query }) => {
      const paging = pagingOf(query, defaultPageSizes.fragments)
      return services.addresses.get(actor, addressRef(param), paging)
    },
  }),
})

export const loader = route
export const action = route
