import { z } from 'zod'
import { chatSchema, simpleChatSchema } from '../chat/thread'
import { threadDeletionSchema, threadFilterSchema, threadSelectionSchema } from '../chat/thread-filter'
import { visitorErasureSchema } from '../chat/visitor'
import { chatFailures } from '../texts/chat/chat-failures'
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
import { count, id, paged } from '../views/fields'
import { chatErrors, flagSchema, success } from './common'
import type { Operations } from './operation'

const sharedThread = z.strictObject({ id, published_at: threadViewSchema.shape.published_at })

export const chatOperations = {
  chat: {
    method: 'POST',
    path: '/v1/{orgId}/agents/{agentId}/chat',
    summary: 'Send a message to an agent',
    description:
      'Responds when the answer is complete, or streams events if the header `Accept` is `text/event-stream`. Without `threadId`, the message starts a thread.',
    callers: 'person-or-key',
    visitorToken: 'optional',
    body: chatSchema,
    maxTextLength: lengths.message,
    invalidTitle: chatFailures.invalidPrompt.title,
    examples: [
      { title: 'Ask an agent', body: { prompt: 'When are you open?' } },
      { title: 'Stream the answer', body: { prompt: 'When are you open?' }, streams: true },
      { body: { threadId: '$THREAD', prompt: 'And on Sundays?', createdAt: '2026-01-01T00:00:00.000Z' } },
    ],
    response: chatAnswerSchema,
    events: chatEventSchema,
    errors: chatErrors,
  },
  simpleChat: {
    method: 'POST',
    path: '/v1/chat/simple',
    summary: 'Search, and answer if the agent can',
    description: '`message` is null if the agent cannot answer.',
    callers: 'key',
    body: simpleChatSchema,
    maxTextLength: lengths.message,
    invalidTitle: chatFailures.invalidPrompt.title,
    examples: [{ body: { prompt: 'When are you open?' } }],
    response: simpleChatViewSchema,
    errors: chatErrors,
  },
  listThreads: {
    method: 'GET',
    path: '/v1/{orgId}/threads',
    summary: 'List the threads',
    callers: 'person',
    query: pagingSchema(defaultPageSizes.threads).extend(threadFilterSchema.shape),
    response: z.strictObject({ threads: paged(listedThreadViewSchema) }),
  },
  exportThreads: {
    method: 'GET',
    path: '/v1/{orgId}/threads/export',
    summary: 'Export threads with their messages',
    description:
      'All threads that match, the oldest first, as lines of JSON (`application/x-ndjson`), each in the form of the export of one thread.',
    callers: 'person',
    query: threadSelectionSchema,
    examples: [{ query: { createdSince: '2026-01-01', feedback: 'down' } }],
    file: 'application/x-ndjson',
  },
  deleteThreads: {
    method: 'DELETE',
    path: '/v1/{orgId}/threads',
    summary: 'Delete threads',
    description:
      'Deletes all threads that match, with their messages: the oldest 10,000 in one call. `remaining` says how many are left.',
    callers: 'person',
    role: 'admin',
    query: threadDeletionSchema,
    examples: [{ query: { createdUntil: '2026-01-31' } }],
    response: z.strictObject({ success, deleted: count, remaining: count }),
  },
  eraseVisitor: {
    method: 'POST',
    path: '/v1/{orgId}/visitors/erase',
    summary: 'Erase a visitor',
    description:
      'Deletes every thread of a visitor with its messages. By a thread, also those with the same external user, e-mail address or session. Returns 404 if there is none.',
    callers: 'person',
    role: 'admin',
    body: visitorErasureSchema,
    examples: [{ body: { by: 'thread', value: '$THREAD' } }],
    response: z.strictObject({ success, deleted: count }),
    errors: ['not_found'],
  },
  getThread: {
    method: 'GET',
    path: '/v1/{orgId}/threads/{threadId}',
    summary: 'Get a thread',
    callers: 'person',
    query: z.object({ messages: flagSchema }),
    examples: [{}, { query: { messages: 'true' } }],
    response: z.strictObject({ thread: threadViewSchema }),
  },
  deleteThread: {
    method: 'DELETE',
    path: '/v1/{orgId}/threads/{threadId}',
    summary: 'Delete a thread',
    description: 'Deletes its messages, too.',
    callers: 'person',
    role: 'admin',
  },
  listMessageFragments: {
    method: 'GET',
    path: '/v1/{orgId}/threads/{threadId}/message/{messageId}/fragments',
    summary: 'List the fragments of an answer',
    description: 'As they were when the answer was generated.',
    callers: 'person',
    response: z.strictObject({ fragments: z.array(fragmentViewSchema) }),
  },
  shareThread: {
    method: 'POST',
    path: '/v1/public/{orgId}/threads/{threadId}/share',
    summary: 'Share a thread with everyone',
    callers: 'person-or-key',
    visitorToken: 'required',
    session: true,
    response: z.strictObject({ success, thread: sharedThread }),
  },
  unshareThread: {
    method: 'DELETE',
    path: '/v1/public/{orgId}/threads/{threadId}/share',
    summary: 'Stop sharing a thread',
    callers: 'person-or-key',
    visitorToken: 'required',
    session: true,
    response: z.strictObject({ success, thread: sharedThread }),
  },
  deletePublicThread: {
    method: 'DELETE',
    path: '/v1/public/{orgId}/threads/{threadId}',
    summary: 'Delete a thread, or your own as a visitor',
    callers: 'person-or-key',
    visitorToken: 'required',
    role: 'admin',
    session: true,
  },
  getPublishedThread: {
    method: 'GET',
    path: '/v1/public/threads/published/{threadId}',
    summary: 'Get a shared thread',
    callers: 'everybody',
    response: z.strictObject({ thread: publishedThreadViewSchema }),
  },
} satisfies Operations
