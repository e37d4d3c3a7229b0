import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param }) => ({
      usage: await app.organizations.usage(actor, param('organizationId')),
    }),
  }),
})

export const loader = route
export const action = route
