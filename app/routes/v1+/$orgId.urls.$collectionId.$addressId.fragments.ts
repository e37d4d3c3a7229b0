import { api, methods } from '../../http/api.server'

const route = methods({
  GET: api({
    handler: ({ app, actor, param }) =>
      app.addresses.fragments(actor, param('orgId'), param('collectionId'), param('addressId')),
  }),
})

export const loader = route
export const action = route
