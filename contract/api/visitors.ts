import { z } from 'zod'
import { completionSchema } from '../chat/openai'
import { publicSearchSchema } from '../chat/search-query'
import { feedbackSchema, publicChatSchema } from '../chat/thread'
import { lengths } from '../values/limits'
import { completionChunkSchema, completionViewSchema, modelListSchema } from '../views/chat/openai'
import { searchViewSchema } from '../views/chat/search-results'
import { chatAnswerSchema, chatEventSchema, visitorThreadViewSchema } from '../views/chat/thread'
import { chatErrors, success } from './common'
import { operation } from './operation'

export const publicChat = operation({
  id: 'publicChat',
  method: 'POST',
  path: '/v1/public/chat',
  summary: "Send a visitor's message",
  description:
    'The agent of the key answers. Responds when the answer is complete, or streams events if the header `Accept` is `text/event-stream`. The first response of a thread has its `visitorToken`.',
  callers: 'key',
  visitorToken: 'optional',
  body: publicChatSchema,
  maxTextLength: lengths.message,
  answer: chatAnswerSchema,
  events: chatEventSchema,
  errors: chatErrors,
})

export const publicSearch = operation({
  id: 'publicSearch',
  method: 'POST',
  path: '/v1/public/search',
  summary: "Search the collection of the key's agent",
  description: 'Needs no model provider.',
  callers: 'key',
  body: publicSearchSchema,
  maxTextLength: lengths.searchQuery,
  answer: searchViewSchema,
  errors: ['not_found', 'conflict'],
})

export const getVisitorThread = operation({
  id: 'getVisitorThread',
  method: 'GET',
  path: '/v1/public/threads/{threadId}',
  summary: 'Get a thread as its visitor',
  callers: 'key',
  visitorToken: 'required',
  answer: z.strictObject({ thread: visitorThreadViewSchema }),
})

export const giveFeedback = operation({
  id: 'giveFeedback',
  method: 'POST',
  path: '/v1/public/threads/{threadId}/messages/{messageId}/feedback',
  summary: 'Rate an answer',
  callers: 'key',
  visitorToken: 'required',
  body: feedbackSchema,
  maxTextLength: lengths.feedbackComment,
  answer: z.strictObject({ success }),
})

export const getWidgetSnippet = operation({
  id: 'getWidgetSnippet',
  method: 'GET',
  path: '/v1/options/agent_widget_snippet',
  summary: 'Get the tag of the widget',
  description: 'With `%PUBLIC_KEY%` in place of the public key.',
  callers: 'everybody',
  answer: z.strictObject({ option: z.strictObject({ key: z.literal('agent_widget_snippet'), value: z.string() }) }),
})

export const createCompletion = operation({
  id: 'createCompletion',
  method: 'POST',
  path: '/v1/openai/chat/completions',
  summary: "Create a chat completion in OpenAI's format",
  description:
    'The agent is the model. With `stream`, the response is a stream of events, the last of which is `[DONE]`.',
  callers: 'private-key',
  errorFormat: 'openai',
  body: completionSchema,
  answer: completionViewSchema,
  events: completionChunkSchema,
  errors: chatErrors,
})

export const listModels = operation({
  id: 'listModels',
  method: 'GET',
  path: '/v1/openai/models',
  summary: 'List the agent of the key as a model',
  callers: 'private-key',
  errorFormat: 'openai',
  answer: modelListSchema,
  errors: ['not_found'],
})
