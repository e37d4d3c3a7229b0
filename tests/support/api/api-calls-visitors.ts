import { z } from 'zod'
import { searchViewSchema } from '../../../contract/views/chat/search-results'
import { visitorThreadViewSchema } from '../../../contract/views/chat/thread'
import type { ApiEndpoint } from './api-endpoint'

/** The calls of visitors, whose pages have a key of an agent. */
export const visitorCalls: ApiEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/public/chat',
    file: 'public+/chat',
    may: 'key',
    body: () => ({ prompt: 'Which lamp is bright?' }),
    status: 200,
    answer: z.unknown(),
  },
  {
    method: 'POST',
    path: '/v1/public/search',
    file: 'public+/search',
    may: 'key',
    body: () => ({ query: 'lamp' }),
    status: 200,
    answer: searchViewSchema,
  },
  {
    method: 'GET',
    path: '/v1/public/threads/{thread}',
    file: 'public+/threads.$threadId',
    may: 'visitor',
    status: 200,
    answer: z.strictObject({ thread: visitorThreadViewSchema }),
  },
  {
    method: 'POST',
    path: '/v1/public/threads/{thread}/messages/{message}/feedback',
    file: 'public+/threads.$threadId.messages.$messageId.feedback',
    may: 'visitor',
    body: () => ({ rating: 'up' }),
    status: 200,
    answer: z.strictObject({ success: z.literal(true) }),
  },
  {
    method: 'POST',
    path: '/v1/openai/chat/completions',
    file: 'openai.chat.completions',
    may: 'private',
    errorFormat: 'openai',
    body: ({ agent }) => ({ model: agent, messages: [{ role: 'user', content: 'Which lamp is bright?' }] }),
    status: 200,
    answer: z.looseObject({ object: z.literal('chat.completion') }),
  },
  {
    method: 'GET',
    path: '/v1/openai/models',
    file: 'openai.models',
    may: 'private',
    errorFormat: 'openai',
    status: 200,
    answer: z.strictObject({ object: z.literal('list'), data: z.array(z.looseObject({ object: z.literal('model') })) }),
  },
  {
    method: 'GET',
    path: '/v1/openapi.json',
    file: 'openapi[.]json',
    may: 'everybody',
    status: 200,
    answer: z.looseObject({ openapi: z.literal('3.1.1') }),
  },
  {
    method: 'GET',
    path: '/v1/options/agent_widget_snippet',
    file: 'options.agent_widget_snippet',
    may: 'everybody',
    status: 200,
    answer: z.strictObject({ option: z.strictObject({ key: z.literal('agent_widget_snippet'), value: z.string() }) }),
  },
]
