import { defaultPageSizes } from '../../../../../contract/limits'
import { api, methods } from '../../../../http/api/api.server'
import { pagingOf } from '../../../../http/api/paging.server'

const route = methods({
  GET: api({
    handler: ({ services, actor, param, query }) => {
      const paging = pagingOf(query, defaultPageSizes.fragments)
      return services.addresses.fragments(actor, param('orgId'), param('collectionId'), param('addressId'), paging)
    },
  }),
})

export const loader = route
export const action = route
