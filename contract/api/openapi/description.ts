import { openApiDocumentSchema } from '../../views/openapi'
import { operation } from '../operation'

export const getDescription = operation({
  id: 'getDescription',
  method: 'GET',
  path: '/v1/openapi.json',
  summary: 'Get the OpenAPI document',
  callers: 'everybody',
  answer: openApiDocumentSchema,
})
