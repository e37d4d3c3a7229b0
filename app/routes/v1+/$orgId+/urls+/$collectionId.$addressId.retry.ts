import { api, methods } from '../../../../http/api/api.server'

const route = methods({
  POST: api({
    handler: async ({ services, actor, param }) => ({
      success: true,
      url: await services.addresses.retry(actor, param('orgId'), param('collectionId'), param('addressId')),
    }),
  }),
})

export const loader = route
export const action = route
