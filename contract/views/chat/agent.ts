import { z } from 'zod'
import { agentStatuses, providers } from '../../values/enumerations'
import { count, id, keyHint, text, textOrNull, time } from '../fields'

const logo = textOrNull.describe('Path of its picture on this server; null without one.')

/** What administrators see of an agent beyond the rest. */
const agentSettingsViewSchema = z.strictObject({
  provider: z.enum(providers).nullable(),
  provider_key: keyHint.nullable(),
  model: textOrNull,
  prompt: textOrNull,
  test_failure: textOrNull.describe('Why the last connection test of what is saved failed; null if it succeeded.'),
  fragment_similarity: z.number(),
  fragment_limit: count,
  max_total_output_tokens: count,
  history_limit: z.number().int().describe('Number of earlier messages that the model receives; -1 for all.'),
  translate_questions: z
    .boolean()
    .describe("Whether questions in other languages than the collection's are also searched in its main language."),
  own_suggestions: z
    .array(text)
    .nullable()
    .describe('The questions that were saved; null if all are proposed from the collection.'),
  logo,
  moderation: z.boolean().describe("Whether OpenAI's moderation checks messages and the system prompt."),
  keychain: z
    .strictObject({ allowed_ips: text, allowed_origins: text })
    .nullable()
    .describe('Null until an administrator creates the keys.'),
})
export type AgentSettingsView = z.infer<typeof agentSettingsViewSchema>

/** An agent; with its settings for administrators. */
export const agentViewSchema = z.strictObject({
  id,
  name: text,
  description: text,
  status: z.enum(agentStatuses),
  disabled: z.boolean(),
  collection_id: id.nullable(),
  collection: z.strictObject({ id, name: text }).nullable().optional().describe('With ?includeCollection=true.'),
  suggestions: z
    .array(text)
    .optional()
    .describe('The questions that an empty chat offers, at most 6. Not in lists of agents.'),
  key_source: z
    .enum(['agent', 'organization', 'server'])
    .nullable()
    .describe("Where the key comes from: the agent, its organization or the server's configuration; null without one."),
  message_length: count.describe('Maximum length of a message, in characters.'),
  organization_id: id,
  created_by: id.nullable(),
  created_at: time,
  abilities: z.strictObject({ edit: z.boolean(), delete: z.boolean(), link: z.boolean(), settings: z.boolean() }),
  ...agentSettingsViewSchema.partial().shape,
})
export type AgentView = z.infer<typeof agentViewSchema>

/** What a page or a program with a key of an agent may know of it. */
export const publicAgentViewSchema = z.strictObject({
  id,
  name: text,
  logo,
  suggestions: z
    .array(text)
    .describe("Questions to offer in an empty chat, in the visitor's language if there are any."),
})
export type PublicAgentView = z.infer<typeof publicAgentViewSchema>

/** The outcome of a test of a provider, a model and a key. */
export interface ConnectionView {
  ok: boolean
  /** What a person reads. */
  message: string
}

/** What the settings say about a provider of this server. */
export interface ProviderView {
  /** The address that requests go to. */
  baseUrl: string
  /** The models to choose from, the operator's own last. */
  models: string[]
  /** Used where no model is named. */
  defaultModel: string | null
  /** What the server's configuration has for it: a key, or only the address of a server that may need none. */
  configured: 'key' | 'address' | null
}
