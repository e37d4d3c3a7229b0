import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    handler: async ({ services, actor, param }) => ({
      members: await services.members.list(actor, param('organizationId')),
    }),
  }),
})

export const loader = route
export const action = route
