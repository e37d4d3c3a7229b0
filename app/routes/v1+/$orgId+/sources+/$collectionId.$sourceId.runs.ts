import { listRuns } from '../../../../../contract/api/sources'
import { defaultPageSizes } from '../../../../../contract/values/limits'
import { api, methods } from '../../../../http/api/api.server'
import { pagingOf } from '../../../../http/api/paging.server'
import { sourceRef } from '../../../../http/api/refs.server'

const route = methods({
  GET: api({
    operation: listRuns,
    handler: async ({ services, actor, param, query }) => {
      const paging = pagingOf(query, defaultPageSizes.runs)
      return {
        runs: await services.runControl.reports(actor, sourceRef(param), paging),
      }
    },
  }),
})

export const loader = route
export const action = route
