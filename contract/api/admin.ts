import { z } from 'zod'
import { type AdminListName, adminFilters, adminOrderSchema, adminOrders, adminWhereSchema } from '../admin'
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
import type { Example, Operations } from './operation'

const read = { method: 'GET', callers: 'person', role: 'staff' } as const

/** JSON in a parameter of the query. */
function json<Value>(name: string, description: string, schema: z.ZodType<Value>) {
  return z
    .string()
    .optional()
    .transform((text, context): unknown => {
      if (text === undefined || text === '') return undefined
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: `${name} is not valid JSON.` })
        return z.NEVER
      }
    })
    .pipe(schema)
    .meta({ description })
}

function list<Name extends AdminListName>(name: Name, nouns: string, examples: readonly Example[] = [{}]) {
  const filters = adminFilters[name].join(', ')
  const order = `A JSON list of [field, "asc" or "desc"], by ${adminOrders[name].join(', ')}.`
  const where = filters ? `A JSON object of filters: ${filters}.` : 'A JSON object. This list has no filters.'
  return {
    ...read,
    path: `/v1/admin/${name}` as const,
    summary: `List all ${nouns}`,
    query: pagingSchema(defaultPageSizes.admin).extend({
      order: json('order', order, adminOrderSchema(name)),
      where: json('where', where, adminWhereSchema(name)),
    }),
    examples,
    response: z.strictObject({ [name]: adminListSchema(name) } as Record<
      Name,
      ReturnType<typeof adminListSchema<Name>>
    >),
  }
}

export const adminOperations = {
  listAllUsers: list('users', 'users', [
    { title: 'List the newest users', query: { limit: '5', order: '[["created_at", "desc"]]' } },
  ]),
  listAllOrganizations: list('organizations', 'organizations'),
  listAllCollections: list('collections', 'collections'),
  listAllSources: list('sources', 'sources'),
  listAllAddresses: list('urls', 'addresses'),
  listAllAgents: list('agents', 'agents'),
  listAllThreads: list('threads', 'threads'),
  inspectUser: {
    ...read,
    path: '/v1/admin/users/{id}',
    summary: 'Get any user',
    response: z.strictObject({ user: adminUserSchema }),
  },
  inspectOrganization: {
    ...read,
    path: '/v1/admin/organizations/{id}',
    summary: 'Get any organization',
    response: z.strictObject({ organization: adminOrganizationSchema }),
  },
  inspectCollection: {
    ...read,
    path: '/v1/admin/collections/{id}',
    summary: 'Get any collection',
    response: z.strictObject({ collection: adminCollectionSchema }),
  },
  inspectSource: {
    ...read,
    path: '/v1/admin/sources/{id}',
    summary: 'Get any source',
    response: z.strictObject({ source: adminSourceSchema }),
  },
  inspectAddress: {
    ...read,
    path: '/v1/admin/urls/{id}',
    summary: 'Get any address',
    response: z.strictObject({ url: adminUrlSchema }),
  },
  inspectAgent: {
    ...read,
    path: '/v1/admin/agents/{id}',
    summary: 'Get any agent',
    response: z.strictObject({ agent: adminAgentSchema }),
  },
  inspectThread: {
    ...read,
    path: '/v1/admin/threads/{id}',
    summary: 'Get any thread',
    description: 'The audit log of the organization records each call.',
    response: z.strictObject({ thread: adminThreadSchema }),
  },
  inspectMessageFragments: {
    ...read,
    path: '/v1/admin/messages/{id}/fragments',
    summary: 'List the fragments of any answer',
    description: 'The audit log of the organization records each call.',
    response: z.strictObject({ fragments: z.array(fragmentViewSchema) }),
  },
  getUserGrowth: {
    ...read,
    path: '/v1/admin/stats/charts/userGrowth',
    summary: 'Count new users by day',
    response: z.array(growthPointSchema),
  },
} satisfies Operations
