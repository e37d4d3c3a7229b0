import { defaultPageSizes } from '../../../contract/limits'
import { sourceSchema } from '../../../contract/source'
import { api, methods } from '../../http/api.server'
import { pagingOf } from '../../http/paging.server'

const route = methods({
  GET: api({
    handler: async ({ app, actor, param, query }) => {
      const paging = pagingOf(query, defaultPageSizes.sources)
      return { sources: await app.sources.list(actor, param('orgId'), param('collectionId'), paging) }
    },
  }),
  POST: api({
    schema: sourceSchema,
    form: true,
    status: 201,
    handler: async ({ app, actor, param, body }) => ({
      source: await app.sources.create(actor, param('orgId'), param('collectionId'), body),
    }),
  }),
})

export const loader = route
export const action = route
