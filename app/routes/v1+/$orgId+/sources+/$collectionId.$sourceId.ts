import { deleteSource, getSource, updateSource } from '../../../../../contract/api/sources'
import { api, methods } from '../../../../http/api/api.server'
import { sourceRef } from '../../../../http/api/refs.server'
import { editSource } from '../../../../http/uploads/source-upload.server'

const route = methods({
  GET: api({
    operation: getSource,
    handler: async ({ services, actor, param }) => ({
      source: await services.sources.get(actor, sourceRef(param)),
    }),
  }),
  PUT: api({
    operation: updateSource,
    handler: async ({ context, request, actor, param }) => ({
      success: true,
      source: await editSource(context, request, actor, sourceRef(param)),
    }),
  }),
  DELETE: api({
    operation: deleteSource,
    handler: ({ services, actor, param }) => services.sources.remove(actor, sourceRef(param)),
  }),
})

export const loader = route
export const action = route
