import { search } from '../../../../contract/api/collections'
import { repeatableFilters, searchSchema } from '../../../../contract/chat/search-query'
import { api, methods, parse } from '../../../http/api/api.server'
import { visitorLanguage } from '../../../http/session/visitor-language.server'

/** Not part of the contract: ?query with ?collectionId or ?agentId, optional filters, and ?explain. */
const route = methods({
  GET: api({
    operation: search,
    handler: ({ services, actor, param, query, request, context: { signal } }) => {
      const lists = Object.fromEntries(
        repeatableFilters.map((name) => [name, query.has(name) ? query.getAll(name) : undefined]),
      )
      const { collectionId, agentId, ...search } = parse(searchSchema, { ...Object.fromEntries(query), ...lists })
      const options = { ...search, preferredLanguage: visitorLanguage(request) }
      return agentId
        ? services.search.agent(actor, { organizationId: param('orgId'), agentId }, options, signal)
        : services.search.collection(actor, param('orgId'), { ...options, collectionId: collectionId ?? '' }, signal)
    },
  }),
})

export const loader = route
export const action = route
