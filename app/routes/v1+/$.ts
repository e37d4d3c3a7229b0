import { methods, noSuchRoute } from '../../http/api/api.server'

const route = methods({
  GET: noSuchRoute,
  POST: noSuchRoute,
  PUT: noSuchRoute,
  PATCH: noSuchRoute,
  DELETE: noSuchRoute,
})

export const loader = route
export const action = route
