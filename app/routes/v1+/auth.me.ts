import { api, methods } from '../../http/api/api.server'

const route = methods({
  GET: api({ handler: async ({ app, actor }) => ({ user: await app.accounts.currentUser(actor) }) }),
})

export const loader = route
export const action = route
