import { z } from 'zod'

/** The lists of the back office, by the names of their fields. */
export const adminListNames = ['users', 'organizations', 'collections', 'sources', 'urls', 'agents', 'threads'] as const
export type AdminListName = (typeof adminListNames)[number]

/** The fields by which each list can be filtered (specification, section 5). */
export const adminFilters = {
  users: [],
  organizations: ['created_by'],
  collections: ['created_by', 'organization_id'],
  sources: ['created_by', 'organization_id', 'collection_id'],
  urls: ['created_by', 'organization_id', 'source_id', 'collection_id'],
  agents: ['created_by', 'organization_id', 'collection_id'],
  threads: ['created_by', 'organization_id', 'agent_id'],
} as const satisfies Record<AdminListName, readonly string[]>
export type AdminFilter<Name extends AdminListName = AdminListName> = (typeof adminFilters)[Name][number]

/** The fields by which each list can be sorted: those that an index has in order, and those of short lists. */
export const adminOrders = {
  users: ['email', 'name', 'surname', 'created_at'],
  organizations: ['name', 'plan', 'onboarding', 'created_at'],
  collections: ['name', 'created_at'],
  sources: ['type', 'status', 'name', 'created_at'],
  urls: ['created_at'],
  agents: ['name', 'created_at'],
  threads: ['created_at'],
} as const satisfies Record<AdminListName, readonly string[]>
export type AdminOrder<Name extends AdminListName = AdminListName> = (typeof adminOrders)[Name][number]

export interface AdminQuery<Name extends AdminListName = AdminListName> {
  /** The first field decides; equal rows keep the order of their ids. */
  order: [field: AdminOrder<Name>, direction: 'asc' | 'desc'][]
  where: Partial<Record<AdminFilter<Name>, string>>
}

const maxIdLength = 200
const maxOrders = 4

/** Newest first. */
const defaultOrder: ['created_at', 'desc'][] = [['created_at', 'desc']]

/** The `order` of a list, as parsed JSON. */
export function adminOrderSchema<Name extends AdminListName>(name: Name): z.ZodType<AdminQuery<Name>['order']> {
  const orders: readonly string[] = adminOrders[name]
  const pair = z.tuple([
    z.string().refine((field) => orders.includes(field), { error: `Sort by ${orders.join(', ')}.` }),
    z
      .string()
      .transform((direction) => direction.toLowerCase())
      .pipe(z.enum(['asc', 'desc'], { error: 'The direction is asc or desc.' })),
  ])
  return z
    .array(pair, { error: 'order is a JSON list of [field, direction].' })
    .max(maxOrders, { error: `Sort by at most ${maxOrders} fields.` })
    .transform((order) => (order.length > 0 ? order : defaultOrder))
    .default(defaultOrder) as unknown as z.ZodType<AdminQuery<Name>['order']>
}

/** The `where` of a list, as parsed JSON. */
export function adminWhereSchema<Name extends AdminListName>(name: Name): z.ZodType<AdminQuery<Name>['where']> {
  const filters: readonly string[] = adminFilters[name]
  return z
    .record(z.string(), z.string().min(1).max(maxIdLength), { error: 'where is a JSON object.' })
    .superRefine((where, context) => {
      for (const key of Object.keys(where).filter((text) => !filters.includes(text)))
        context.addIssue({ code: 'custom', path: [key], message: `This list has no filter ${key}.` })
    })
    .default({}) as unknown as z.ZodType<AdminQuery<Name>['where']>
}
