import { pauseSource } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'

const route = methods({
  POST: api({
    operation: pauseSource,
    handler: async ({ services, actor, param }) => {
      const ref = sourceRef(param)
      await services.runControl.pause(actor, ref)
      return { success: true, source: await services.sources.get(actor, ref) }
    },
  }),
})

export const loader = route
export const action = route
