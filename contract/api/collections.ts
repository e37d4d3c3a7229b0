import { z } from 'zod'
import { addressFilterSchema } from '../address'
import { searchSchema } from '../chat/search-query'
import { collectionEditSchema, collectionSchema } from '../collection'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { addressFragmentSchema, addressViewSchema } from '../views/address'
import { searchViewSchema } from '../views/chat/search-results'
import { collectionViewSchema } from '../views/collection'
import { paged } from '../views/fields'
import { success } from './common'
import { operation } from './operation'

export const listCollections = operation({
  id: 'listCollections',
  method: 'GET',
  path: '/v1/{orgId}/collections',
  summary: 'List the collections',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.collections),
  answer: z.strictObject({ success, collections: paged(collectionViewSchema) }),
})

export const createCollection = operation({
  id: 'createCollection',
  method: 'POST',
  path: '/v1/{orgId}/collections',
  summary: 'Create a collection',
  callers: 'person',
  role: 'member',
  body: collectionSchema,
  status: 201,
  answer: z.strictObject({ success, collection: collectionViewSchema }),
})

export const getCollection = operation({
  id: 'getCollection',
  method: 'GET',
  path: '/v1/{orgId}/collections/{collectionId}',
  summary: 'Get a collection',
  callers: 'person',
  answer: z.strictObject({ collection: collectionViewSchema }),
})

export const updateCollection = operation({
  id: 'updateCollection',
  method: 'PUT',
  path: '/v1/{orgId}/collections/{collectionId}',
  summary: 'Update a collection',
  callers: 'person',
  role: 'member',
  body: collectionEditSchema,
  answer: z.strictObject({ success, collection: collectionViewSchema }),
  errors: ['flagged', 'unavailable'],
})

export const deleteCollection = operation({
  id: 'deleteCollection',
  method: 'DELETE',
  path: '/v1/{orgId}/collections/{collectionId}',
  summary: 'Delete a collection',
  description: 'Deletes its sources, addresses and fragments, too.',
  callers: 'person',
  role: 'member',
})

export const listAddresses = operation({
  id: 'listAddresses',
  method: 'GET',
  path: '/v1/{orgId}/urls/{collectionId}',
  summary: 'List the addresses of a collection',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.addresses).extend(addressFilterSchema.shape),
  answer: z.strictObject({ urls: paged(addressViewSchema) }),
})

export const listAddressFragments = operation({
  id: 'listAddressFragments',
  method: 'GET',
  path: '/v1/{orgId}/urls/{collectionId}/{addressId}/fragments',
  summary: 'List the fragments of an address',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.fragments),
  answer: z.strictObject({ address: addressViewSchema, fragments: paged(addressFragmentSchema) }),
})

export const retryAddress = operation({
  id: 'retryAddress',
  method: 'POST',
  path: '/v1/{orgId}/urls/{collectionId}/{addressId}/retry',
  summary: 'Retry an address',
  description:
    'Fetches it again now. Returns 409 if the options of its source exclude it, or while its source is busy.',
  callers: 'person',
  role: 'member',
  answer: z.strictObject({ success, url: addressViewSchema }),
  errors: ['conflict'],
})

export const ignoreAddress = operation({
  id: 'ignoreAddress',
  method: 'POST',
  path: '/v1/{orgId}/urls/{collectionId}/{addressId}/ignore',
  summary: 'Ignore an address',
  description: 'Removes its fragments and excludes it until you retry it.',
  callers: 'person',
  role: 'member',
  answer: z.strictObject({ success, url: addressViewSchema }),
  errors: ['conflict'],
})

export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/v1/{orgId}/search',
  summary: 'Search a collection, directly or as an agent',
  description:
    'Send `collectionId`, or `agentId` to use the threshold and the limit of that agent. Repeat a filter to send several values. Needs no model provider.',
  callers: 'person',
  query: searchSchema,
  answer: searchViewSchema,
  errors: ['conflict'],
})
