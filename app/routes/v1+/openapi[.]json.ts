import { getDescription } from '../../../contract/api/openapi/description'
import { openApiDocument } from '../../../contract/api/openapi/openapi'
import { methods, openApi } from '../../http/api/api.server'

/** Describes /v1 for programs and generators of clients. */
const route = methods({
  GET: openApi({
    operation: getDescription,
    handler: ({ context }) => openApiDocument(context.settings.publicUrl),
  }),
})

export const loader = route
export const action = route
