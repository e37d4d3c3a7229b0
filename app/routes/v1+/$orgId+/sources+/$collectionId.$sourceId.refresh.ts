import { refreshSource } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'

const route = methods({
  POST: api({
    operation: refreshSource,
    handler: ({ services, actor, param, body, context: { signal } }) =>
      services.runControl.refresh(actor, sourceRef(param), body, { signal }),
  }),
})

export const loader = route
export const action = route
