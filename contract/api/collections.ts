import { z } from 'zod'
import { addressFilterSchema } from '../address'
import { repeatableFilters, searchSchema } from '../chat/search-query'
import { collectionEditSchema, collectionSchema } from '../collection'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { addressFragmentSchema, addressViewSchema } from '../views/address'
import { searchViewSchema } from '../views/chat/search-results'
import { collectionViewSchema } from '../views/collection'
import { paged } from '../views/fields'
import { success } from './common'
import type { Example, Operations } from './operation'

const searchExamples: Example[] = [
  {
    title: 'Search a collection',
    query: { query: 'opening hours', collectionId: '$COLLECTION', limit: '5' },
  },
  { query: { query: 'opening hours', agentId: '$AGENT' } },
  {
    query: {
      query: 'opening hours',
      collectionId: '$COLLECTION',
      sourceId: '$SOURCE',
      type: 'page',
      path: '/**',
      fetchedSince: '2026-01-01',
      threshold: '0.1',
      explain: 'true',
    },
  },
]

export const collectionOperations = {
  listCollections: {
    method: 'GET',
    path: '/v1/{orgId}/collections',
    summary: 'List the collections',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.collections),
    response: z.strictObject({ success, collections: paged(collectionViewSchema) }),
  },
  createCollection: {
    method: 'POST',
    path: '/v1/{orgId}/collections',
    summary: 'Create a collection',
    callers: 'person',
    role: 'member',
    body: collectionSchema,
    examples: [{ title: 'Create a collection', body: { name: 'Website', description: 'All pages of our site' } }],
    status: 201,
    response: z.strictObject({ success, collection: collectionViewSchema }),
  },
  getCollection: {
    method: 'GET',
    path: '/v1/{orgId}/collections/{collectionId}',
    summary: 'Get a collection',
    callers: 'person',
    response: z.strictObject({ collection: collectionViewSchema }),
  },
  updateCollection: {
    method: 'PUT',
    path: '/v1/{orgId}/collections/{collectionId}',
    summary: 'Update a collection',
    callers: 'person',
    role: 'member',
    body: collectionEditSchema,
    examples: [{ body: { name: 'Website', description: '', agent_model: 'gpt-4.1-nano', agent_prompt: 'Be brief.' } }],
    response: z.strictObject({ success, collection: collectionViewSchema }),
    errors: ['flagged', 'unavailable'],
  },
  deleteCollection: {
    method: 'DELETE',
    path: '/v1/{orgId}/collections/{collectionId}',
    summary: 'Delete a collection',
    description: 'Deletes its sources, addresses and fragments, too.',
    callers: 'person',
    role: 'member',
  },
  listAddresses: {
    method: 'GET',
    path: '/v1/{orgId}/urls/{collectionId}',
    summary: 'List the addresses of a collection',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.addresses).extend(addressFilterSchema.shape),
    examples: [{}, { query: { status: 'idle', reason: '', filter: '/docs' } }],
    response: z.strictObject({ urls: paged(addressViewSchema) }),
  },
  listAddressFragments: {
    method: 'GET',
    path: '/v1/{orgId}/urls/{collectionId}/{addressId}/fragments',
    summary: 'List the fragments of an address',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.fragments),
    response: z.strictObject({ address: addressViewSchema, fragments: paged(addressFragmentSchema) }),
  },
  retryAddress: {
    method: 'POST',
    path: '/v1/{orgId}/urls/{collectionId}/{addressId}/retry',
    summary: 'Retry an address',
    description:
      'Fetches it again now. Returns 409 if the options of its source exclude it, or while its source is busy.',
    callers: 'person',
    role: 'member',
    response: z.strictObject({ success, url: addressViewSchema }),
    errors: ['conflict'],
  },
  ignoreAddress: {
    method: 'POST',
    path: '/v1/{orgId}/urls/{collectionId}/{addressId}/ignore',
    summary: 'Ignore an address',
    description: 'Removes its fragments and excludes it until you retry it.',
    callers: 'person',
    role: 'member',
    response: z.strictObject({ success, url: addressViewSchema }),
    errors: ['conflict'],
  },
  search: {
    method: 'GET',
    path: '/v1/{orgId}/search',
    summary: 'Search a collection, directly or as an agent',
    description:
      'Send `collectionId`, or `agentId` to use the threshold and the limit of that agent. Repeat a filter to send several values. Needs no model provider.',
    callers: 'person',
    query: searchSchema,
    repeatable: repeatableFilters,
    examples: searchExamples,
    response: searchViewSchema,
    errors: ['conflict'],
  },
} satisfies Operations
