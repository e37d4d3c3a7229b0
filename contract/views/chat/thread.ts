import { z } from 'zod'
import { messageRoles, messageStatuses, providers, ratings, verdicts } from '../../values/enumerations'
import { count, id, named, text, textOrNull, time } from '../fields'
import { fragmentViewSchema, passageSchema } from './fragment'

/** A fragment that the search found and that the answer was not written from. */
export const candidateSchema = z.strictObject({
  id,
  url: text,
  title: text,
  score: z.number().min(0).max(1),
  reason: z
    .enum(['below-threshold', 'duplicate', 'same-address', 'over-limit', 'over-budget'])
    .describe("'over-budget' means that the context of the model had no room for it."),
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
  time_processing: count.nullable().describe('Milliseconds from the question to the end of the answer.'),
  time_search: count.nullable().describe('Milliseconds from the question to the end of its search.'),
  time_first_text: count.nullable().describe('Milliseconds from the question to the first text of the answer.'),
  query: textOrNull.describe('The search query; null without a search.'),
  translated_query: textOrNull.describe(
    "The question in the collection's language, which was searched as well; null without one.",
  ),
  verdict: z
    .enum(verdicts)
    .nullable()
    .describe('Null for a question, a reply without a search, and an incomplete answer.'),
  cited: z.array(count).describe('Numbers of the cited fragments, in the order of the text.'),
  fragments: z
    .array(fragmentViewSchema)
    .describe('The fragments that the model received, in the order of their numbers; empty for other messages.'),
  candidates: z.array(candidateSchema).describe('What the search also found, best first.'),
  feedback: z.enum(ratings).nullable().describe("A visitor's rating of the answer; null without one."),
  feedback_comment: textOrNull,
})
export type MessageView = z.infer<typeof messageViewSchema>

const unverified = textOrNull.describe('As the website states it; not verified.')

export const threadViewSchema = z.strictObject({
  id,
  title: text.describe('From the first question.'),
  agent_id: id.nullable(),
  agent: named.nullable(),
  organization_id: id,
  organization: named,
  created_by: id.nullable(),
  created_at: time,
  provider: z.enum(providers).nullable(),
  provider_thread_id: textOrNull,
  published_at: time.nullable(),
  meta_origin: textOrNull,
  meta_ip: textOrNull,
  meta_user_agent: textOrNull,
  external_user_id: unverified,
  external_user_email: unverified,
  external_session_id: unverified,
  abilities: z.strictObject({ delete: z.boolean(), share: z.boolean() }).describe('What the caller can do.'),
  messages: z.array(messageViewSchema).optional().describe('With ?messages=true.'),
})
export type ThreadView = z.infer<typeof threadViewSchema>

/** A thread in a list. */
export const listedThreadViewSchema = threadViewSchema.omit({ messages: true }).extend({
  /** Verdict of its last answer that has one. */
  verdict: z.enum(verdicts).nullable(),
  /** A visitor's last opinion of an answer; null without one. */
  feedback: z.enum(ratings).nullable(),
})
export type ListedThreadView = z.infer<typeof listedThreadViewSchema>

const citedSourceSchema = z.strictObject({
  number: count,
  title: text,
  url: text,
  link: text.describe('On web pages, it leads to the passage.'),
  passage: passageSchema.nullable().describe('What the answer rests on; null in older answers.'),
})
export type CitedSource = z.infer<typeof citedSourceSchema>

const followUps = z.array(text).describe('Questions that the found passages also answer, at most 3.')

const sources = z.array(citedSourceSchema).describe('The cited fragments, in the order of the text.')

/** A shared thread as everybody sees it, without fields of people, providers or costs. */
export const publishedThreadViewSchema = z.strictObject({
  id,
  title: text.describe('From the first question.'),
  agent: z.strictObject({ name: text }).nullable(),
  created_at: time,
  published_at: time,
  messages: z.array(
    messageViewSchema
      .pick({
        id: true,
        role: true,
        content: true,
        status: true,
        status_message: true,
        created_at: true,
      })
      .extend({ sources }),
  ),
})
export type PublishedThreadView = z.infer<typeof publishedThreadViewSchema>

/** A thread as the visitor sees it who began it. */
export const visitorThreadViewSchema = z.strictObject({
  id,
  title: text,
  created_at: time,
  published_at: time.nullable(),
  messages: z.array(
    messageViewSchema
      .pick({
        id: true,
        role: true,
        content: true,
        status: true,
        status_message: true,
        created_at: true,
        verdict: true,
        cited: true,
        feedback: true,
      })
      .extend({ sources }),
  ),
})
export type VisitorThreadView = z.infer<typeof visitorThreadViewSchema>

/** The complete answer to a message. */
export const chatAnswerSchema = z.strictObject({
  threadId: id,
  visitorToken: id
    .optional()
    .describe(
      'Only in the first response of a thread that a key started: send it in X-Visitor-Token with later calls.',
    ),
  message: messageViewSchema,
  fragments: z.array(fragmentViewSchema),
  follow_ups: followUps,
})
export type ChatAnswer = z.infer<typeof chatAnswerSchema>

/** The answer to `POST /v1/chat/simple`. */
export const simpleChatViewSchema = z.strictObject({
  message: textOrNull.describe('Null if the agent cannot answer.'),
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
    visitorToken: id
      .optional()
      .describe(
        'Only in the first response of a thread that a key started: send it in X-Visitor-Token with later calls.',
      ),
    fragments: z.array(fragmentViewSchema),
  }),
  z.strictObject({ type: z.literal('text-delta'), text }),
  /** All text so far was the model's reasoning, not part of the answer. */
  z.strictObject({ type: z.literal('text-discard') }),
  z.strictObject({ type: z.literal('text-end') }),
  z.strictObject({
    type: z.literal('answer-end'),
    threadId: id,
    cited: z.array(count),
    follow_ups: followUps,
    message: messageViewSchema,
  }),
  z.strictObject({
    type: z.literal('answer-error'),
    threadId: id,
    code: text.describe('An error code, as in `Problem`.'),
    title: text,
    message: text,
    partial: messageViewSchema.nullable().describe('The part of the answer that arrived, stored as incomplete.'),
  }),
])
export type ChatEvent = z.infer<typeof chatEventSchema>
