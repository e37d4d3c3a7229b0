import { getKeychain, saveKeychain } from '../../../../../contract/api/agents'
import { api, methods } from '../../../../http/api/api.server'
import { agentRef } from '../../../../http/api/refs.server'

/** The keys of an agent; null until an administrator creates them. */
const route = methods({
  GET: api({
    operation: getKeychain,
    handler: async ({ services, actor, param }) => ({ keychain: await services.keychains.get(actor, agentRef(param)) }),
  }),
  PUT: api({
    operation: saveKeychain,
    handler: async ({ services, actor, param, body }) => ({
      created: await services.keychains.save(actor, agentRef(param), body),
    }),
  }),
})

export const loader = route
export const action = route
