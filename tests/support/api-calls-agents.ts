import { z } from 'zod'
import { agentViewSchema } from '../../contract/views/agent'
import { paged } from '../../contract/views/fields'
import { fragmentViewSchema } from '../../contract/views/fragment'
import { messageViewSchema, threadViewSchema } from '../../contract/views/thread'
import type { ApiEndpoint } from './api-endpoint'
import { long, named, neverNumber, neverText, optionalText, requiredName, requiredText, success } from './api-wrong'

/** Agents, chat and threads. */
const agent = agentViewSchema.omit({ collection: true })
const fragment = fragmentViewSchema.required()
const message = messageViewSchema.extend({ fragments: z.array(fragment) })

export const agentCalls: ApiEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/{organization}/agents',
    file: '$orgId+/agents',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ agents: paged(agent) }),
  },
  {
    method: 'POST',
    path: '/v1/{organization}/agents',
    file: '$orgId+/agents',
    may: 'member',
    body: () => ({ ...named, useDefaults: true }),
    status: 201,
    answer: z.strictObject({ success, agent }),
    wrong: {
      name: requiredName(64),
      description: optionalText(512),
      useDefaults: [null, 'false', 'true', '', 0, 1, [], {}],
    },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId+/agents+/$agentId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ agent }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/agents/{agent}?includeCollection=true',
    file: '$orgId+/agents+/$agentId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ agent: agentViewSchema.required() }),
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId+/agents+/$agentId',
    may: 'admin',
    body: () => ({ ...named }),
    status: 200,
    answer: z.strictObject({ success, agent }),
    wrong: { name: requiredName(64), description: optionalText(512) },
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId+/agents+/$agentId',
    may: 'admin',
    body: () => ({
      provider: 'openai',
      model: 'gpt-4.1-nano',
      prompt: 'Answer briefly.',
      fragment_similarity: 0.3,
      fragment_limit: 10,
      max_total_output_tokens: 1024,
      history_limit: 5,
      message_length: 512,
    }),
    status: 200,
    answer: z.strictObject({ success, agent }),
    wrong: {
      provider: [null, '', 'nobody', 7, true, [], {}],
      provider_key: optionalText(512),
      model: requiredText(64),
      prompt: optionalText(10_000),
      fragment_similarity: [...neverNumber, 0, 1.1],
      fragment_limit: [...neverNumber, 0, 26, 1.5],
      max_total_output_tokens: [...neverNumber, 511, 4097],
      history_limit: [...neverNumber, -2, 7],
      message_length: [...neverNumber, 255, 2049],
    },
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/agents/{agent}',
    file: '$orgId+/agents+/$agentId',
    may: 'admin',
    spends: 'agent',
    status: 204,
    answer: null,
  },
  {
    method: 'PUT',
    path: '/v1/{organization}/agents/{agent}/link',
    file: '$orgId+/agents+/$agentId.link',
    may: 'admin',
    body: ({ collection }) => ({ collectionId: collection }),
    status: 200,
    answer: z.strictObject({ success, agent }),
    wrong: { collectionId: [undefined, '', '  ', ...neverText] },
  },
  {
    method: 'POST',
    path: '/v1/{organization}/agents/{agent}/chat',
    file: '$orgId+/agents+/$agentId.chat',
    may: 'viewer',
    body: ({ thread }) => ({
      threadId: thread,
      prompt: 'Which lamp is bright?',
      createdAt: '2026-01-01T00:00:00.000Z',
    }),
    status: 200,
    answer: z.strictObject({
      threadId: z.string(),
      message: message,
      fragments: z.array(fragment).min(1),
    }),
    wrong: {
      prompt: [undefined, null, '', ' \n ', long(2048), ...neverText],
      threadId: ['', ' ', long(128), ...neverText],
      createdAt: neverText,
    },
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads',
    file: '$orgId+/threads',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ threads: paged(threadViewSchema.omit({ messages: true })) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads/{thread}',
    file: '$orgId+/threads.$threadId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ thread: threadViewSchema.omit({ messages: true }) }),
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads/{thread}?messages=true',
    file: '$orgId+/threads.$threadId',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ thread: threadViewSchema.extend({ messages: z.array(message).min(1) }) }),
  },
  {
    method: 'DELETE',
    path: '/v1/{organization}/threads/{thread}',
    file: '$orgId+/threads.$threadId',
    may: 'admin',
    spends: 'thread',
    status: 204,
    answer: null,
  },
  {
    method: 'GET',
    path: '/v1/{organization}/threads/{thread}/message/{message}/fragments',
    file: '$orgId+/threads.$threadId.message.$messageId.fragments',
    may: 'viewer',
    status: 200,
    answer: z.strictObject({ fragments: z.array(fragment).min(1) }),
  },
]
