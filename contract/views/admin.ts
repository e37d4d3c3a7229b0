import { z } from 'zod'
import type { AdminListName } from '../admin'
import { addressViewSchema } from './address'
import { agentViewSchema } from './chat/agent'
import { threadViewSchema } from './chat/thread'
import { collectionViewSchema } from './collection'
import { count, id, named, paged } from './fields'
import { organizationDetailsSchema, organizationViewSchema } from './organizations/organization'
import { currentUserViewSchema } from './organizations/user'
import { sourceViewSchema } from './source'

// What platform administrators see under /v1/admin. None of it contains a key, not even its last characters.

/** Who created something; null for the product itself, and for a deleted person. */
const creator = organizationDetailsSchema.shape.created_by_user.unwrap()

export const adminUserSchema = currentUserViewSchema
export type AdminUser = z.infer<typeof adminUserSchema>

const listedUserSchema = adminUserSchema.omit({ org_connections: true })

const listedOrganizationSchema = organizationViewSchema.omit({ default_agent_provider_key: true, abilities: true })

export const adminOrganizationSchema = listedOrganizationSchema.extend({
  ...organizationDetailsSchema.pick({ created_by_user: true, user_connections: true, usage_records: true }).required()
    .shape,
  has_default_agent_provider_key: z.boolean(),
  members: count.describe('All of them; `user_connections` has the 100 who joined first.'),
})
export type AdminOrganization = z.infer<typeof adminOrganizationSchema>

const listedCollectionSchema = collectionViewSchema.omit({
  abilities: true,
  agent_prompt: true,
  fragments: true,
  pending_embeddings: true,
})

export const adminCollectionSchema = collectionViewSchema.omit({ abilities: true }).extend({ created_by_user: creator })
export type AdminCollection = z.infer<typeof adminCollectionSchema>

const listedSourceSchema = sourceViewSchema
  .pick({
    id: true,
    collection_id: true,
    organization_id: true,
    type: true,
    name: true,
    status: true,
    reason: true,
    message: true,
    url: true,
    file_name: true,
    refreshed_at: true,
    created_at: true,
    created_by: true,
  })
  .extend({ collection: named, organization: named })

export const adminSourceSchema = sourceViewSchema.extend({
  collection: named,
  organization: named,
  created_by_user: creator,
})
export type AdminSource = z.infer<typeof adminSourceSchema>

/** `created_by` is that of the source. */
export const adminUrlSchema = addressViewSchema.extend({ created_by: id.nullable(), created_by_user: creator })
export type AdminUrl = z.infer<typeof adminUrlSchema>

const listedAgentSchema = agentViewSchema
  .pick({
    id: true,
    name: true,
    description: true,
    status: true,
    collection_id: true,
    organization_id: true,
    created_by: true,
    created_at: true,
  })
  .extend({ organization: named })

export const adminAgentSchema = agentViewSchema
  .omit({ abilities: true, provider_key: true, suggestions: true })
  .required()
  .extend({ has_provider_key: z.boolean(), organization: named, created_by_user: creator })
export type AdminAgent = z.infer<typeof adminAgentSchema>

/** Thread in a list, without the title, which is the text of a question. */
const listedThreadSchema = threadViewSchema.omit({ abilities: true, title: true, messages: true })

export const adminThreadSchema = threadViewSchema
  .omit({ abilities: true })
  .required()
  .extend({ created_by_user: creator })
export type AdminThread = z.infer<typeof adminThreadSchema>

/** One row of each list. */
export const listedSchemas = {
  users: listedUserSchema,
  organizations: listedOrganizationSchema,
  collections: listedCollectionSchema,
  sources: listedSourceSchema,
  urls: addressViewSchema,
  agents: listedAgentSchema,
  threads: listedThreadSchema,
} satisfies Record<AdminListName, z.ZodType>
export type Listed = { [Name in keyof typeof listedSchemas]: z.infer<(typeof listedSchemas)[Name]> }

export const adminListSchema = <Name extends keyof Listed>(name: Name) => paged(listedSchemas[name])

/** How many people registered on a day (UTC, as 2026-01-31). */
export const growthPointSchema = z.strictObject({ date: z.iso.date(), count })
export type GrowthPoint = z.infer<typeof growthPointSchema>
