import type { chatOperations } from '../../../../contract/api/chat'
import { AppError } from '../../../../server/errors'
import type { Handlers } from '../../api/handler.server'
import { visitorMeta } from '../../api/visitor-meta.server'
import { completeAnswer, streamedAnswer, wantsStream } from '../../streams/chat-answer.server'
import { threadsDownload } from '../../uploads/threads-download.server'
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

  exportThreads: ({ services, actor, context, params, query }) =>
    threadsDownload(services.threadSelections.exportLines(actor, params.orgId, query), context),

  deleteThreads: async ({ services, actor, params, query: { all, ...filter } }) => {
    if (!all && Object.values(filter).every((value) => value === undefined)) throw filterMissing()
    return { success: true, ...(await services.threadSelections.remove(actor, params.orgId, filter)) }
  },

  eraseVisitor: async ({ services, actor, params, body: { by, value } }) => ({
    success: true,
    deleted: await services.eraseVisitor(actor, params.orgId, by, value),
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

function filterMissing(): AppError {
  const message = 'Set a filter, or all=true to delete every thread.'
  return new AppError('invalid_input', message, { details: { fields: { all: [message] } } })
}
