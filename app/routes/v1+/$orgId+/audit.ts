import { listAuditEvents } from '../../../../contract/api/organizations'
import { api, methods } from '../../../http/api/api.server'

const route = methods({
  GET: api({
    operation: listAuditEvents,
    handler: async ({ services, actor, param }) => ({ events: await services.audit.list(actor, param('orgId')) }),
  }),
})

export const loader = route
export const action = route
