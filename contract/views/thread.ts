import { z } from 'zod'
import { messageRoles, messageStatuses, providers, verdicts } from '../enumerations'
import { count, id, text, textOrNull, time } from './fields'
import { fragmentViewSchema } from './fragment'

/** A fragment that the search found and that the answer was not written from. */
export const candidateSchema = z.strictObject({
  id,
  url: text,
  title: text,
  score: z.number().min(0).max(1),
  /** 'over-budget': there was no room for it in the model's context. */
  reason: z.enum(['below-threshold', 'duplicate', 'same-address', 'over-limit', 'over-budget']),
})
export type Candidate = z.infer<typeof candidateSchema>

export const messageViewSchema = z.strictObject({
  id,
  thread_id: id,
  role: z.enum(messageRoles),
  provider: z.enum(providers).nullable(),
  model: textOrNull,
  content: text,
  status: z.enum(messageStatuses),
  status_message: textOrNull,
  created_at: time,
  tokens_input: count.nullable(),
  tokens_output: count.nullable(),
  /** Milliseconds. */
  time_processing: count.nullable(),
  /** Milliseconds from the question to the end of its search, and to the first text of the answer. */
  time_search: count.nullable(),
  time_first_text: count.nullable(),
  /** What was searched for; null without a search. */
  query: textOrNull,
  /** Null for a question, a reply without a search, and an incomplete answer. */
  verdict: z.enum(verdicts).nullable(),
  /** Numbers of the cited fragments, in the order of the text. */
  cited: z.array(count),
  /** The fragments an answer was written from, in the order of their numbers; empty for other messages. */
  fragments: z.array(fragmentViewSchema),
  /** What the search found besides `fragments`, best first. */
  candidates: z.array(candidateSchema),
})
export type MessageView = z.infer<typeof messageViewSchema>

export const threadViewSchema = z.strictObject({
  id,
  /** From the first question. */
  title: text,
  agent_id: id.nullable(),
  agent: z.strictObject({ name: text }).nullable(),
  organization_id: id,
  created_by: id.nullable(),
  created_at: time,
  provider: z.enum(providers).nullable(),
  provider_thread_id: textOrNull,
  published_at: time.nullable(),
  meta_origin: textOrNull,
  meta_ip: textOrNull,
  meta_user_agent: textOrNull,
  external_user_id: textOrNull,
  external_user_email: textOrNull,
  external_session_id: textOrNull,
  /** With ?messages=true. */
  messages: z.array(messageViewSchema).optional(),
})
export type ThreadView = z.infer<typeof threadViewSchema>

/** A shared thread as everybody sees it, without fields of people, providers or costs. */
export const publishedThreadViewSchema = z.strictObject({
  id,
  agent: z.strictObject({ name: text }).nullable(),
  created_at: time,
  published_at: time,
  messages: z.array(
    messageViewSchema.pick({
      id: true,
      role: true,
      content: true,
      status: true,
      status_message: true,
      created_at: true,
    }),
  ),
})
export type PublishedThreadView = z.infer<typeof publishedThreadViewSchema>

/** The answer to `POST /v1/chat/simple`. */
export const simpleChatViewSchema = z.strictObject({
  /** Null if the agent cannot answer. */
  message: textOrNull,
  fragments: z.array(fragmentViewSchema),
})
export type SimpleChatView = z.infer<typeof simpleChatViewSchema>

/**
 * What a chat streams: server-sent events of these names. 'sources-found' comes first, as soon as the question is stored
 * and searched, with an empty list if nothing was found.
 */
export const chatEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('sources-found'),
    threadId: id,
    messageId: id,
    /** For a thread that a key began: what later calls about it send in X-Visitor-Token. Only in its first answer. */
    visitorToken: id.optional(),
    fragments: z.array(fragmentViewSchema),
  }),
  z.strictObject({ type: z.literal('text-delta'), text }),
  z.strictObject({ type: z.literal('text-end') }),
  z.strictObject({ type: z.literal('answer-end'), threadId: id, cited: z.array(count), message: messageViewSchema }),
  z.strictObject({
    type: z.literal('answer-error'),
    threadId: id,
    /** As in a problem. */
    code: text,
    title: text,
    message: text,
    /** The part of the answer that arrived, stored and marked. */
    partial: messageViewSchema.nullable(),
  }),
])
export type ChatEvent = z.infer<typeof chatEventSchema>
