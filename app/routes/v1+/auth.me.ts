import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({ handler: async ({ services, actor }) => ({ user: await services.accounts.currentUser(actor) }) }),
})

export const loader = route
export const action = route
