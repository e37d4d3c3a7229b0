import { publicSearch } from '../../../../contract/api/visitors'
import { apiOfKeys, methods } from '../../../http/api/api.server'
import { agentOfKey } from '../../../http/api/refs.server'
import { visitorLanguage } from '../../../http/session/visitor-language.server'

/** Searches the collection of the key's agent, without a model. */
const route = methods({
  POST: apiOfKeys({
    operation: publicSearch,
    handler: ({ services, actor, context, request, body }) => {
      const search = { ...body, preferredLanguage: visitorLanguage(request) }
      return services.search.agent(actor, agentOfKey(actor), search, context.signal)
    },
  }),
})

export const loader = route
export const action = route
