import { getUsage } from '../../../../contract/api/organizations'
import { invalidState } from '../../../../contract/texts/invalid-state'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: getUsage,
    withoutToken: invalidState.usage,
    handler: async ({ services, actor, param }) => ({
      usage: await services.organizations.usage(actor, param('organizationId')),
    }),
  }),
})

export const loader = route
export const action = route
