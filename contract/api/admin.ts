import { z } from 'zod'
import { type AdminListName, adminFilters, adminOrders } from '../admin'
import { defaultPageSizes } from '../values/limits'
import { pagingSchema } from '../values/paging'
import {
  adminAgentSchema,
  adminCollectionSchema,
  adminListSchema,
  adminOrganizationSchema,
  adminSourceSchema,
  adminThreadSchema,
  adminUrlSchema,
  adminUserSchema,
  growthPointSchema,
} from '../views/admin'
import { fragmentViewSchema } from '../views/chat/fragment'
import { operation } from './operation'

const read = { method: 'GET', callers: 'person', role: 'staff' } as const

function list<Name extends AdminListName>(name: Name, id: string, nouns: string) {
  const filters = adminFilters[name].join(', ')
  const where = filters ? `A JSON object of filters: ${filters}.` : 'A JSON object. This list has no filters.'
  return operation({
    ...read,
    id,
    path: `/v1/admin/${name}`,
    summary: `List all ${nouns}`,
    query: pagingSchema(defaultPageSizes.admin).extend({
      order: z
        .string()
        .meta({ description: `A JSON list of [field, "asc" or "desc"], by ${adminOrders[name].join(', ')}.` })
        .optional(),
      where: z.string().meta({ description: where }).optional(),
    }),
    answer: z.strictObject({ [name]: adminListSchema(name) }),
  })
}

/** The lists of the back office, by their names. */
export const adminLists = {
  users: list('users', 'listAllUsers', 'users'),
  organizations: list('organizations', 'listAllOrganizations', 'organizations'),
  collections: list('collections', 'listAllCollections', 'collections'),
  sources: list('sources', 'listAllSources', 'sources'),
  urls: list('urls', 'listAllAddresses', 'addresses'),
  agents: list('agents', 'listAllAgents', 'agents'),
  threads: list('threads', 'listAllThreads', 'threads'),
}

export const inspectUser = operation({
  ...read,
  id: 'inspectUser',
  path: '/v1/admin/users/{id}',
  summary: 'Get any user',
  answer: z.strictObject({ user: adminUserSchema }),
})

export const inspectOrganization = operation({
  ...read,
  id: 'inspectOrganization',
  path: '/v1/admin/organizations/{id}',
  summary: 'Get any organization',
  answer: z.strictObject({ organization: adminOrganizationSchema }),
})

export const inspectCollection = operation({
  ...read,
  id: 'inspectCollection',
  path: '/v1/admin/collections/{id}',
  summary: 'Get any collection',
  answer: z.strictObject({ collection: adminCollectionSchema }),
})

export const inspectSource = operation({
  ...read,
  id: 'inspectSource',
  path: '/v1/admin/sources/{id}',
  summary: 'Get any source',
  answer: z.strictObject({ source: adminSourceSchema }),
})

export const inspectAddress = operation({
  ...read,
  id: 'inspectAddress',
  path: '/v1/admin/urls/{id}',
  summary: 'Get any address',
  answer: z.strictObject({ url: adminUrlSchema }),
})

export const inspectAgent = operation({
  ...read,
  id: 'inspectAgent',
  path: '/v1/admin/agents/{id}',
  summary: 'Get any agent',
  answer: z.strictObject({ agent: adminAgentSchema }),
})

export const inspectThread = operation({
  ...read,
  id: 'inspectThread',
  path: '/v1/admin/threads/{id}',
  summary: 'Get any thread',
  description: 'The audit log of the organization records each call.',
  answer: z.strictObject({ thread: adminThreadSchema }),
})

export const inspectMessageFragments = operation({
  ...read,
  id: 'inspectMessageFragments',
  path: '/v1/admin/messages/{id}/fragments',
  summary: 'List the fragments of any answer',
  description: 'The audit log of the organization records each call.',
  answer: z.strictObject({ fragments: z.array(fragmentViewSchema) }),
})

export const getUserGrowth = operation({
  ...read,
  id: 'getUserGrowth',
  path: '/v1/admin/stats/charts/userGrowth',
  summary: 'Count new users by day',
  answer: z.array(growthPointSchema),
})
