import { addressFilterSchema } from '../../../../../contract/address'
import { listAddresses } from '../../../../../contract/api/collections'
import { defaultPageSizes } from '../../../../../contract/values/limits'
import { api, methods, parse } from '../../../../http/api/api.server'
import { pagingOf } from '../../../../http/api/paging.server'

const route = methods({
  GET: api({
    operation: listAddresses,
    handler: async ({ services, actor, param, query }) => {
      const paging = pagingOf(query, defaultPageSizes.addresses)
      const filter = parse(addressFilterSchema, Object.fromEntries(query))
      return {
        urls: await services.addresses.list(actor, param('orgId'), param('collectionId'), { ...paging, ...filter }),
      }
    },
  }),
})

export const loader = route
export const action = route
