import type { collectionOperations } from '../../../../contract/api/collections'
import type { Handlers } from '../../api/handler.server'
import { visitorLanguage } from '../../session/visitor-language.server'
import { addressRef } from './refs.server'

export const collectionHandlers = {
  listCollections: async ({ services, actor, params, query }) => ({
    success: true,
    collections: await services.collections.list(actor, params.orgId, query),
  }),

  createCollection: async ({ services, actor, params, body }) => ({
    success: true,
    collection: await services.collections.create(actor, params.orgId, body),
  }),

  getCollection: async ({ services, actor, params }) => ({
    collection: await services.collections.get(actor, params.orgId, params.collectionId),
  }),

  updateCollection: async ({ services, actor, params, body }) => ({
    success: true,
    collection: await services.collections.update(actor, params.orgId, params.collectionId, body),
  }),

  deleteCollection: ({ services, actor, params }) =>
    services.collections.remove(actor, params.orgId, params.collectionId),

  listAddresses: async ({ services, actor, params, query }) => ({
    urls: await services.addresses.list(actor, params.orgId, params.collectionId, query),
  }),

  listAddressFragments: ({ services, actor, params, query }) =>
    services.addresses.get(actor, addressRef(params), query),

  retryAddress: async ({ services, actor, params }) => ({
    success: true,
    url: await services.addresses.retry(actor, addressRef(params)),
  }),

  ignoreAddress: async ({ services, actor, params }) => ({
    success: true,
    url: await services.addresses.ignore(actor, addressRef(params)),
  }),

  search: ({ services, actor, params, query, request, context: { signal } }) => {
    const { collectionId = '', agentId, ...search } = query
    const options = { ...search, preferredLanguage: visitorLanguage(request) }
    return agentId
      ? services.search.agent(actor, { organizationId: params.orgId, agentId }, options, signal)
      : services.search.collection(actor, params.orgId, { ...options, collectionId }, signal)
  },
} satisfies Handlers<typeof collectionOperations>
