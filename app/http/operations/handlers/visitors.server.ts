import type { visitorOperations } from '../../../../contract/api/visitors'
import { widgetSnippet } from '../../../../contract/texts/widget-snippet'
import type { Handlers } from '../../api/handler.server'
import { externalMeta, visitorMeta } from '../../api/visitor-meta.server'
import { visitorLanguage } from '../../session/visitor-language.server'
import { completeAnswer, streamedAnswer, wantsStream } from '../../streams/chat-answer.server'
import { assertModel, completion, completionStream } from '../../streams/openai.server'
import { agentOfKey } from './refs.server'

export const visitorHandlers = {
  publicChat: async ({ services, actor, reauthenticate, context, request, body, visitorToken }) => {
    const caller = body.threadId ? await services.visitors.admit(actor, body.threadId, visitorToken) : actor
    const meta = { ...visitorMeta(context, request), ...externalMeta(body) }
    const events = services.chat.reply(caller, agentOfKey(actor), body, meta, context.signal, reauthenticate)
    return wantsStream(request) ? streamedAnswer(events, context) : completeAnswer(events)
  },

  publicSearch: ({ services, actor, context, request, body }) => {
    const search = { ...body, preferredLanguage: visitorLanguage(request) }
    return services.search.agent(actor, agentOfKey(actor), search, context.signal)
  },

  getPublicAgent: async ({ services, actor, request }) => ({
    agent: await services.agents.ofKey(actor, agentOfKey(actor), visitorLanguage(request)),
  }),

  getVisitorThread: async ({ services, actor, params, visitorToken }) => {
    const visitor = await services.visitors.admit(actor, params.threadId, visitorToken)
    return { thread: await services.visitorThreads.get(visitor, params.threadId) }
  },

  giveFeedback: async ({ services, actor, params, body, visitorToken }) => {
    const visitor = await services.visitors.admit(actor, params.threadId, visitorToken)
    await services.visitorThreads.giveFeedback(visitor, params.threadId, params.messageId, body)
    return { success: true }
  },

  getWidgetSnippet: ({ context }) => ({
    option: { key: 'agent_widget_snippet', value: widgetSnippet(context.settings.publicUrl) },
  }),

  createCompletion: async ({ services, actor, reauthenticate, context, request, body }) => {
    const ref = agentOfKey(actor)
    assertModel(body.model, ref.agentId)
    const meta = { ...visitorMeta(context, request), externalUserId: body.user }
    const input = { prompt: body.prompt, history: body.history }
    const events = services.chat.reply(actor, ref, input, meta, context.signal, reauthenticate)
    return body.isStream ? completionStream(events, body, context) : completion(events, body)
  },

  listModels: async ({ services, actor }) => {
    const { id, createdAt } = await services.agents.modelOfKey(actor, agentOfKey(actor))
    const created = Math.floor(createdAt.getTime() / 1000)
    return { object: 'list', data: [{ id, object: 'model', created, owned_by: 'sitelore' }] }
  },
} satisfies Handlers<typeof visitorOperations>
