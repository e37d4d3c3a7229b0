import { z } from 'zod'
import {
  explainedSearchSchema,
  foundFragmentSchema,
  searchViewSchema,
} from '../../../contract/views/chat/search-results'
import { collectionViewSchema } from '../../../contract/views/collection'
import { paged } from '../../../contract/views/fields'
import type { ApiEndpoint } from './api-endpoint'
import { named, optionalText, requiredName, success } from './api-wrong'

/** Collections and search. */
const search = searchViewSchema
  .omit({ explanation: true })
  .extend({ fragments: z.array(foundFragmentSchema.omit({ figures: true }).required()).min(1) })

export const contentCalls: ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/{organization}/collections',
    file: '$orgId+/collections',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ success, collections: paged(collectionViewSchema) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/collections',
    file: '$orgId+/collections',
    may: 'member',
    body: () => ({ ...named }),
    status: 201,
    answer: z.strictObject({ success, collection: collectionViewSchema }),
    wrong: { name: requiredName(64), description: optionalText(512) },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/collections/{collection}',
    file: '$orgId+/collections.$collectionId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ collection: collectionViewSchema }),
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/collections/{collection}',
    file: '$orgId+/collections.$collectionId',
    may: 'member',
    body: () => ({ ...named, agent_model: 'gpt-4.1-nano', agent_prompt: 'Be brief.' }),
    status: 200,
    answer: z.strictObject({ success, collection: collectionViewSchema }),
    wrong: {
      name: requiredName(64),
      description: optionalText(512),
      agent_model: optionalText(64),
      agent_prompt: optionalText(20_000),
    },
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/collections/{collection}',
    file: '$orgId+/collections.$collectionId',
    may: 'member',
    spends: 'collection',
    status: 204,
    answer: null,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/search?query=lamp&collectionId={collection}&limit=3',
    file: '$orgId+/search',
    may: 'viewer',
    status: 200,
    answer: search,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/search?query=lamp&agentId={agent}',
    file: '$orgId+/search',
    may: 'viewer',
    status: 200,
    answer: search,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/search?query=lamp&collectionId={collection}&sourceId={source}&type=page&type=csv&path=/**&fetchedSince=2026-01-01&threshold=0.1&explain=true',
    file: '$orgId+/search',
    may: 'viewer',
    status: 200,
    answer: explainedSearchSchema,
  },
]
