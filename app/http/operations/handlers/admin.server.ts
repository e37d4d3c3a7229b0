import type { adminOperations } from '../../../../contract/api/admin'
import type { Handlers } from '../../api/handler.server'

export const adminHandlers = {
  listAllUsers: async ({ services, actor, query }) => ({ users: await services.admin.list(actor, 'users', query) }),

  listAllOrganizations: async ({ services, actor, query }) => ({
    organizations: await services.admin.list(actor, 'organizations', query),
  }),

  listAllCollections: async ({ services, actor, query }) => ({
    collections: await services.admin.list(actor, 'collections', query),
  }),

  listAllSources: async ({ services, actor, query }) => ({
    sources: await services.admin.list(actor, 'sources', query),
  }),

  listAllAddresses: async ({ services, actor, query }) => ({ urls: await services.admin.list(actor, 'urls', query) }),

  listAllAgents: async ({ services, actor, query }) => ({ agents: await services.admin.list(actor, 'agents', query) }),

  listAllThreads: async ({ services, actor, query }) => ({
    threads: await services.admin.list(actor, 'threads', query),
  }),

  inspectUser: async ({ services, actor, params }) => ({ user: await services.admin.user(actor, params.id) }),

  inspectOrganization: async ({ services, actor, params }) => ({
    organization: await services.admin.organization(actor, params.id),
  }),

  inspectCollection: async ({ services, actor, params }) => ({
    collection: await services.admin.collection(actor, params.id),
  }),

  inspectSource: async ({ services, actor, params }) => ({ source: await services.admin.source(actor, params.id) }),

  inspectAddress: async ({ services, actor, params }) => ({ url: await services.admin.url(actor, params.id) }),

  inspectAgent: async ({ services, actor, params }) => ({ agent: await services.admin.agent(actor, params.id) }),

  inspectThread: async ({ services, actor, params }) => ({ thread: await services.admin.thread(actor, params.id) }),

  inspectMessageFragments: async ({ services, actor, params }) => ({
    fragments: await services.admin.messageFragments(actor, params.id),
  }),

  getUserGrowth: ({ services, actor }) => services.admin.userGrowth(actor),
} satisfies Handlers<typeof adminOperations>
