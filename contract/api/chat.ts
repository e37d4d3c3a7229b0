import { z } from 'zod'
import { chatSchema, simpleChatSchema } from '../chat/thread'
import { verdicts } from '../values/enumerations'
import { defaultPageSizes, lengths } from '../values/limits'
import { pagingSchema } from '../values/paging'
import { fragmentViewSchema } from '../views/chat/fragment'
import {
  chatAnswerSchema,
  chatEventSchema,
  listedThreadViewSchema,
  publishedThreadViewSchema,
  simpleChatViewSchema,
  threadViewSchema,
} from '../views/chat/thread'
import { id, paged } from '../views/fields'
import { chatErrors, success } from './common'
import { operation } from './operation'

export const chat = operation({
  id: 'chat',
  method: 'POST',
  path: '/v1/{orgId}/agents/{agentId}/chat',
  summary: 'Send a message to an agent',
  description:
    'Responds when the answer is complete, or streams events if the header `Accept` is `text/event-stream`. Without `threadId`, the message starts a thread.',
  callers: 'person-or-key',
  visitorToken: 'optional',
  body: chatSchema,
  maxTextLength: lengths.message,
  answer: chatAnswerSchema,
  events: chatEventSchema,
  errors: chatErrors,
})

export const simpleChat = operation({
  id: 'simpleChat',
  method: 'POST',
  path: '/v1/chat/simple',
  summary: 'Search, and answer if the agent can',
  description: '`message` is null if the agent cannot answer.',
  callers: 'key',
  body: simpleChatSchema,
  maxTextLength: lengths.message,
  answer: simpleChatViewSchema,
  errors: chatErrors,
})

export const listThreads = operation({
  id: 'listThreads',
  method: 'GET',
  path: '/v1/{orgId}/threads',
  summary: 'List the threads',
  callers: 'person',
  query: pagingSchema(defaultPageSizes.threads).extend({
    agentId: z.string().optional(),
    createdBy: z.string().optional(),
    verdict: z.enum(verdicts).optional(),
    question: z.string().max(256).optional(),
  }),
  answer: z.strictObject({ threads: paged(listedThreadViewSchema) }),
})

export const getThread = operation({
  id: 'getThread',
  method: 'GET',
  path: '/v1/{orgId}/threads/{threadId}',
  summary: 'Get a thread',
  callers: 'person',
  query: z.object({ messages: z.enum(['true', 'false']).default('false') }),
  answer: z.strictObject({ thread: threadViewSchema }),
})

export const deleteThread = operation({
  id: 'deleteThread',
  method: 'DELETE',
  path: '/v1/{orgId}/threads/{threadId}',
  summary: 'Delete a thread',
  description: 'Deletes its messages, too.',
  callers: 'person',
  role: 'admin',
})

export const listMessageFragments = operation({
  id: 'listMessageFragments',
  method: 'GET',
  path: '/v1/{orgId}/threads/{threadId}/message/{messageId}/fragments',
  summary: 'List the fragments of an answer',
  description: 'As they were when the answer was generated.',
  callers: 'person',
  answer: z.strictObject({ fragments: z.array(fragmentViewSchema) }),
})

const sharedThread = z.strictObject({ id, published_at: threadViewSchema.shape.published_at })

export const shareThread = operation({
  id: 'shareThread',
  method: 'POST',
  path: '/v1/public/{orgId}/threads/{threadId}/share',
  summary: 'Share a thread with everyone',
  callers: 'person-or-key',
  visitorToken: 'required',
  answer: z.strictObject({ success, thread: sharedThread }),
})

export const unshareThread = operation({
  id: 'unshareThread',
  method: 'DELETE',
  path: '/v1/public/{orgId}/threads/{threadId}/share',
  summary: 'Stop sharing a thread',
  callers: 'person-or-key',
  visitorToken: 'required',
  answer: z.strictObject({ success, thread: sharedThread }),
})

export const deletePublicThread = operation({
  id: 'deletePublicThread',
  method: 'DELETE',
  path: '/v1/public/{orgId}/threads/{threadId}',
  summary: 'Delete a thread, or your own as a visitor',
  callers: 'person-or-key',
  visitorToken: 'required',
  role: 'admin',
})

export const getPublishedThread = operation({
  id: 'getPublishedThread',
  method: 'GET',
  path: '/v1/public/threads/published/{threadId}',
  summary: 'Get a shared thread',
  callers: 'everybody',
  answer: z.strictObject({ thread: publishedThreadViewSchema }),
})
