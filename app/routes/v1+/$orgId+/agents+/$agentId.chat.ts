import { chat } from '../../../../../contract/api/chat'
import { chatFailures } from '../../../../../contract/texts/chat/chat-failures'
import { apiWithKeys, methods } from '../../../../http/api/api.server'
import { agentRef } from '../../../../http/api/refs.server'
import { visitorMeta } from '../../../../http/api/visitor-meta.server'
import { completeAnswer, streamedAnswer, wantsStream } from '../../../../http/streams/chat-answer.server'

/** Sends a message to an agent. Responds with the complete answer as JSON, or streams it if `Accept` asks for events. */
const route = methods({
  POST: apiWithKeys({
    operation: chat,
    invalidTitle: chatFailures.invalidPrompt.title,
    handler: async ({ services, actor, reauthenticate, context, request, param, body, visitorToken }) => {
      const caller = body.threadId ? await services.visitors.admit(actor, body.threadId, visitorToken) : actor
      const meta = visitorMeta(context, request)
      const events = services.chat.reply(caller, agentRef(param), body, meta, context.signal, reauthenticate)
      return wantsStream(request) ? streamedAnswer(events, context) : completeAnswer(events)
    },
  }),
})

export const loader = route
export const action = route
