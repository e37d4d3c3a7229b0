import { type AdminListName, type AdminQuery, adminQuerySchema } from '../../../contract/admin'
import { adminLists } from '../../../contract/api/admin'
import { defaultPageSizes } from '../../../contract/values/limits'
import { AppError } from '../../../server/errors'
import { api, methods, parse } from './api.server'
import { pagingOf } from './paging.server'

/** Builds the route of a list of the back office, which responds with its page under the list's name. */
export function adminListRoute(name: AdminListName) {
  return methods({
    GET: api({
      operation: adminLists[name],
      handler: async ({ services, actor, query }) => ({
        [name]: await services.admin.list(actor, name, {
          ...adminQueryOf(name, query),
          ...pagingOf(query, defaultPageSizes.admin),
        }),
      }),
    }),
  })
}

/** Reads `order` and `where` from a query. Throws invalid_input that names the field. */
export function adminQueryOf<Name extends AdminListName>(name: Name, query: URLSearchParams): AdminQuery<Name> {
  return parse(adminQuerySchema(name), { order: jsonOf(query, 'order'), where: jsonOf(query, 'where') })
}

function jsonOf(query: URLSearchParams, name: string): unknown {
  const text = query.get(name)
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    const message = `${name} is not valid JSON.`
    throw new AppError('invalid_input', message, { details: { fields: { [name]: [message] } } })
  }
}
