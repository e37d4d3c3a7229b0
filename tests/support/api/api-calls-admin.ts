import { z } from 'zod'
import { type AdminListName, adminListNames } from '../../../contract/admin'
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
} from '../../../contract/views/admin'
import { fragmentViewSchema } from '../../../contract/views/chat/fragment'
import type { ApiEndpoint, ApiIds } from './api-endpoint'

const details: [list: AdminListName, field: string, id: keyof ApiIds, schema: z.ZodType][] = [
  ['users', 'user', 'person', adminUserSchema],
  ['organizations', 'organization', 'organization', adminOrganizationSchema],
  ['collections', 'collection', 'collection', adminCollectionSchema],
  ['sources', 'source', 'source', adminSourceSchema],
  ['urls', 'url', 'address', adminUrlSchema],
  ['agents', 'agent', 'agent', adminAgentSchema],
  ['threads', 'thread', 'thread', adminThreadSchema],
]

/** Opening one of these is recorded. */
const recordedLists: AdminListName[] = ['collections', 'urls', 'agents', 'threads']

const read = { method: 'GET', may: 'staff', status: 200 } as const

/** The back office. */
export const adminCalls: ApiEndpoint[] = [
  ...adminListNames.map((name) => ({
    ...read,
    path: `/v1/admin/${name}`,
    file: `admin+/${name}`,
    answer: z.strictObject({ [name]: adminListSchema(name) }),
  })),
  ...details.map(([list, field, id, schema]) => ({
    ...read,
    path: `/v1/admin/${list}/{${id}}`,
    file: `admin+/${list}.$id`,
    answer: z.strictObject({ [field]: schema }),
    ...(recordedLists.includes(list) ? { recordsRead: true as const } : {}),
  })),
  {
    ...read,
    path: '/v1/admin/stats/charts/userGrowth',
    file: 'admin+/stats.charts.userGrowth',
    answer: z.array(growthPointSchema).min(1),
  },
  {
    ...read,
    path: '/v1/admin/messages/{message}/fragments',
    file: 'admin+/messages.$id.fragments',
    answer: z.strictObject({ fragments: z.array(fragmentViewSchema).min(1) }),
    recordsRead: true,
  },
]
