import type { chatOperations } from '../../../../contract/api/chat'
import type { Handlers } from '../../api/handler.server'
import { visitorMeta } from '../../api/visitor-meta.server'
import { completeAnswer, streamedAnswer, wantsStream } from '../../streams/chat-answer.server'
import { agentRef, threadRef } from './refs.server'

export const chatHandlers = {
  chat: async ({ services, actor, reauthenticate, context, request, params, body, visitorToken }) => {
    const caller = body.threadId ? await services.visitors.admit(actor, body.threadId, visitorToken) : actor
    const meta = visitorMeta(context, request)
    const events = services.chat.reply(caller, agentRef(params), body, meta, context.signal, reauthenticate)
    return wantsStream(request) ? streamedAnswer(events, context) : completeAnswer(events)
  },

  simpleChat: ({ services, actor, reauthenticate, context, request, body }) =>
    services.smartSearch(actor, body, visitorMeta(context, request), context.signal, reauthenticate),

  listThreads: async ({ services, actor, params, query }) => ({
    threads: await services.threads.list(actor, params.orgId, query),
  }),

  getThread: async ({ services, actor, params, query }) => {
    const { messages, ...thread } = await services.threads.get(actor, threadRef(params))
    return { thread: query.messages ? { ...thread, messages } : thread }
  },

  deleteThread: ({ services, actor, params }) => services.threads.remove(actor, threadRef(params)),

  listMessageFragments: async ({ services, actor, params }) => ({
    fragments: await services.threads.messageFragments(actor, threadRef(params), params.messageId),
  }),

  shareThread: async ({ services, actor, params, visitorToken }) => {
    const caller = await services.visitors.admit(actor, params.threadId, visitorToken)
    return { success: true, thread: await services.sharedThreads.share(caller, threadRef(params)) }
  },

  unshareThread: async ({ services, actor, params, visitorToken }) => {
    const caller = await services.visitors.admit(actor, params.threadId, visitorToken)
    return { success: true, thread: await services.sharedThreads.unshare(caller, threadRef(params)) }
  },

  deletePublicThread: async ({ services, actor, params, visitorToken }) => {
    const caller = await services.visitors.admit(actor, params.threadId, visitorToken)
    await services.threads.remove(caller, threadRef(params))
  },

  getPublishedThread: async ({ services, params }) => ({
    thread: await services.sharedThreads.published(params.threadId),
  }),
} satisfies Handlers<typeof chatOperations>
