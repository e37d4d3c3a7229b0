import { openApiDocumentSchema } from '../views/openapi'
import type { Operations } from './operation'

export const descriptionOperations = {
  getDescription: {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'Get the OpenAPI document',
    callers: 'everybody',
    examples: [{ title: 'Get the OpenAPI document' }],
    response: openApiDocumentSchema,
  },
} satisfies Operations
