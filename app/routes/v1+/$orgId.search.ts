import { searchSchema } from '../../../contract/thread'
import { api, methods, parse } from '../../http/api.server'

/** Ours, beside the contract: ?query with ?collectionId or ?agentId, and ?limit. */
const route = methods({
  GET: api({
    handler: ({ app, actor, param, query }) => {
      const { collectionId, agentId, ...search } = parse(searchSchema, Object.fromEntries(query))
      return agentId
        ? app.search.agent(actor, param('orgId'), agentId, search)
        : app.search.collection(actor, param('orgId'), { ...search, collectionId: collectionId ?? '' })
    },
  }),
})

export const loader = route
export const action = route
