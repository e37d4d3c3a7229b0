import { z } from 'zod'
import { count, id, keyHint, text, textOrNull, time } from './fields'

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
  /** Bytes. */
  storage: count,
}

/** What an organization uses; crawls, messages, searches and API requests are of the current month (UTC). */
export const usageViewSchema = z.strictObject(counters)
export type Usage = z.infer<typeof usageViewSchema>

/** What a plan allows; 0 is no limit. Crawls, messages, searches and API requests are monthly limits. */
export const planViewSchema = z.strictObject({ name: text, display_name: text, ...counters })
export type Plan = z.infer<typeof planViewSchema>

export const organizationViewSchema = z.strictObject({
  id,
  name: text,
  entity_name: text,
  default_agent_provider: textOrNull,
  default_agent_model: textOrNull,
  default_agent_provider_key: keyHint.nullable(),
  /** Null until the questionnaire is answered. */
  onboarding: z
    .strictObject({ goals: z.array(text), sector: text, position: text, size: text, source: text, created_at: time })
    .nullable(),
  plan: planViewSchema,
  created_by: id.nullable(),
  created_at: time,
})
export type OrganizationView = z.infer<typeof organizationViewSchema>
