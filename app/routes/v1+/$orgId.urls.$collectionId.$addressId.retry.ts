import { api, methods } from '../../http/api/api.server'

const route = methods({
  POST: api({
    handler: async ({ app, actor, param }) => ({
      success: true,
      url: await app.addresses.retry(actor, param('orgId'), param('collectionId'), param('addressId')),
    }),
  }),
})

export const loader = route
export const action = route
