import { z } from 'zod'
import { organizationRoles } from '../../values/enumerations'
import { count, id, keyHint, text, textOrNull, time } from '../fields'

const days = z.number().int().min(1).nullable()

const counters = {
  collections: count,
  sources: count,
  urls: count,
  crawls: count,
  agents: count,
  threads: count,
  messages: count,
  searches: count,
  api_requests: count,
  storage: count.describe('Bytes.'),
}

/** What an organization uses; crawls, messages, searches and API requests are of the current month (UTC). */
export const usageViewSchema = z.strictObject(counters)
export type Usage = z.infer<typeof usageViewSchema>

/** What an organization used in a month (UTC), and what it contained when the month was last recorded. */
export const usageRecordSchema = z.strictObject({
  year: z.number().int(),
  month: z.number().int().min(1).max(12).describe('1 to 12.'),
  ...counters,
  embedding_tokens: count.describe('Tokens that a service has embedded. 0 where the model runs on the server.'),
})
export type UsageRecord = z.infer<typeof usageRecordSchema>

/** What a plan allows; 0 is no limit. Crawls, messages, searches and API requests are monthly limits. */
export const planViewSchema = z.strictObject({ name: text, display_name: text, ...counters })
export type Plan = z.infer<typeof planViewSchema>

export const organizationViewSchema = z.strictObject({
  id,
  name: text,
  entity_name: text,
  default_agent_provider: textOrNull,
  default_agent_model: textOrNull,
  default_agent_provider_key: keyHint.nullable().describe('Administrators see the last four characters.'),
  visitor_daily_share: count.describe('What visitors may use of a monthly limit on one day, in percent.'),
  thread_days: days.describe('Days after the last message for which threads are kept; null for ever.'),
  visitor_data_days: days.describe(
    'Days after the last message for which the address, browser and ids of visitors are kept; null for ever.',
  ),
  run_days: days.describe('Days for which the reports of crawls are kept; null for ever.'),
  audit_days: count.describe('Days for which the audit log is kept.'),
  replaces_old_threads: z
    .boolean()
    .describe("Whether a new thread over the plan's limit replaces the oldest one of a visitor."),
  requires_second_factor: z.boolean().describe('Whether members have access only with a second factor.'),
  onboarding: z
    .strictObject({ goals: z.array(text), sector: text, position: text, size: text, source: text, created_at: time })
    .nullable()
    .describe('Null until the questionnaire is answered.'),
  plan: planViewSchema,
  created_by: id.nullable(),
  created_at: time,
  abilities: z
    .strictObject({
      edit: z.boolean(),
      delete: z.boolean(),
      manageMembers: z.boolean(),
      readAudit: z.boolean(),
      addCollection: z.boolean(),
      addAgent: z.boolean(),
      deleteThreads: z.boolean(),
    })
    .describe('What the caller can do.'),
})
export type OrganizationView = z.infer<typeof organizationViewSchema>

/** `GET /v1/organizations/{id}`. Only administrators get the last three fields. */
export const organizationDetailsSchema = organizationViewSchema.extend({
  created_by_user: z
    .strictObject({ email: text, id, auth0_id: text })
    .nullable()
    .optional()
    .describe('Null if the command line created it, or the account was deleted.'),
  user_connections: z
    .array(
      z.strictObject({
        user_id: id,
        user: z.strictObject({ email: text }),
        role: z.enum(organizationRoles),
        created_at: time,
      }),
    )
    .optional()
    .describe('The first 100 members; `GET /v1/organizations/{id}/members` lists all.'),
  usage_records: z
    .array(usageRecordSchema)
    .optional()
    .describe('The current month first. Empty until a new organization uses something.'),
})
export type OrganizationDetails = z.infer<typeof organizationDetailsSchema>
