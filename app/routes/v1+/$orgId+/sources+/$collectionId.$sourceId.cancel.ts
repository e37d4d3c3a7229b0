import { cancelSource } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'

const route = methods({
  POST: api({
    operation: cancelSource,
    handler: async ({ services, actor, param }) => {
      const ref = sourceRef(param)
      await services.runControl.cancel(actor, ref)
      return { success: true, source: await services.sources.get(actor, ref) }
    },
  }),
})

export const loader = route
export const action = route
