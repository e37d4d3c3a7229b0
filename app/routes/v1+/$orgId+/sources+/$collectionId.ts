import { createSource, listSources } from '../../../../../contract/api/sources'
import { defaultPageSizes } from '../../../../../contract/values/limits'
import { api, methods } from '../../../../http/api/api.server'
import { pagingOf } from '../../../../http/api/paging.server'
import { collectionRef } from '../../../../http/api/refs.server'
import { addSource } from '../../../../http/uploads/source-upload.server'

const route = methods({
  GET: api({
    operation: listSources,
    handler: async ({ services, actor, param, query }) => {
      const paging = pagingOf(query, defaultPageSizes.sources)
      return { sources: await services.sources.list(actor, collectionRef(param), paging) }
    },
  }),
  POST: api({
    operation: createSource,
    handler: async ({ context, request, actor, param }) => ({
      source: await addSource(context, request, actor, collectionRef(param)),
    }),
  }),
})

export const loader = route
export const action = route
