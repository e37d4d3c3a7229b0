import { getSourceFile } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'
import { fileResponse } from '../../../../http/uploads/file-download.server'

const route = methods({
  GET: api({
    operation: getSourceFile,
    handler: async ({ services, actor, param, context }) =>
      fileResponse(await services.fileSources.original(actor, sourceRef(param)), context),
  }),
})

export const loader = route
export const action = route
