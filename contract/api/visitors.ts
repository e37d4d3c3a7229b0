import { z } from 'zod'
import { completionSchema } from '../chat/openai'
import { publicSearchSchema } from '../chat/search-query'
import { feedbackSchema, publicChatSchema } from '../chat/thread'
import { chatFailures } from '../texts/chat/chat-failures'
import { lengths } from '../values/limits'
import { publicAgentViewSchema } from '../views/chat/agent'
import { completionChunkSchema, completionViewSchema, modelListSchema } from '../views/chat/openai'
import { searchViewSchema } from '../views/chat/search-results'
import { chatAnswerSchema, chatEventSchema, visitorThreadViewSchema } from '../views/chat/thread'
import { chatErrors, success } from './common'
import type { Operations } from './operation'

export const visitorOperations = {
  publicChat: {
    method: 'POST',
    path: '/v1/public/chat',
    summary: "Send a visitor's message",
    description:
      'The agent of the key answers. Responds when the answer is complete, or streams events if the header `Accept` is `text/event-stream`. The first response of a thread has its `visitorToken`.',
    callers: 'key',
    visitorToken: 'optional',
    body: publicChatSchema,
    maxTextLength: lengths.message,
    invalidTitle: chatFailures.invalidPrompt.title,
    examples: [{ title: 'Ask from a page', body: { prompt: 'When are you open?' } }],
    response: chatAnswerSchema,
    events: chatEventSchema,
    errors: chatErrors,
  },
  publicSearch: {
    method: 'POST',
    path: '/v1/public/search',
    summary: "Search the collection of the key's agent",
    description: 'Needs no model provider.',
    callers: 'key',
    body: publicSearchSchema,
    maxTextLength: lengths.searchQuery,
    examples: [{ title: 'Search from a page', body: { query: 'opening hours', limit: 5 } }],
    response: searchViewSchema,
    errors: ['not_found', 'conflict'],
  },
  getPublicAgent: {
    method: 'GET',
    path: '/v1/public/agent',
    summary: 'Get the agent of the key',
    description:
      'With the questions that it suggests. The header `Accept-Language` says which language they are read in.',
    callers: 'key',
    response: z.strictObject({ agent: publicAgentViewSchema }),
    errors: ['not_found'],
  },
  getVisitorThread: {
    method: 'GET',
    path: '/v1/public/threads/{threadId}',
    summary: 'Get a thread as its visitor',
    callers: 'key',
    visitorToken: 'required',
    response: z.strictObject({ thread: visitorThreadViewSchema }),
  },
  giveFeedback: {
    method: 'POST',
    path: '/v1/public/threads/{threadId}/messages/{messageId}/feedback',
    summary: 'Rate an answer',
    callers: 'key',
    visitorToken: 'required',
    body: feedbackSchema,
    maxTextLength: lengths.feedbackComment,
    examples: [{ body: { rating: 'up' } }],
    response: z.strictObject({ success }),
  },
  getWidgetSnippet: {
    method: 'GET',
    path: '/v1/options/agent_widget_snippet',
    summary: 'Get the tag of the widget',
    description: 'With `%PUBLIC_KEY%` in place of the public key.',
    callers: 'everybody',
    response: z.strictObject({ option: z.strictObject({ key: z.literal('agent_widget_snippet'), value: z.string() }) }),
  },
  createCompletion: {
    method: 'POST',
    path: '/v1/openai/chat/completions',
    summary: "Create a chat completion in OpenAI's format",
    description:
      'The agent is the model. With `stream`, the response is a stream of events, the last of which is `[DONE]`.',
    callers: 'private-key',
    errorFormat: 'openai',
    body: completionSchema,
    examples: [
      {
        title: "Ask in OpenAI's format",
        body: { model: '$AGENT', messages: [{ role: 'user', content: 'When are you open?' }] },
      },
    ],
    response: completionViewSchema,
    events: completionChunkSchema,
    errors: chatErrors,
  },
  listModels: {
    method: 'GET',
    path: '/v1/openai/models',
    summary: 'List the agent of the key as a model',
    callers: 'private-key',
    errorFormat: 'openai',
    response: modelListSchema,
    errors: ['not_found'],
  },
} satisfies Operations
