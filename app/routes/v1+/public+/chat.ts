import { publicChat } from '../../../../contract/api/visitors'
import { chatFailures } from '../../../../contract/texts/chat/chat-failures'
import { apiOfKeys, methods } from '../../../http/api/api.server'
import { agentOfKey } from '../../../http/api/refs.server'
import { externalMeta, visitorMeta } from '../../../http/api/visitor-meta.server'
import { completeAnswer, streamedAnswer, wantsStream } from '../../../http/streams/chat-answer.server'

/** Sends a visitor's message to the agent of the key. Responds as the chat of an organization's agent does. */
const route = methods({
  POST: apiOfKeys({
    operation: publicChat,
    invalidTitle: chatFailures.invalidPrompt.title,
    handler: async ({ services, actor, reauthenticate, context, request, body, visitorToken }) => {
      const caller = body.threadId ? await services.visitors.admit(actor, body.threadId, visitorToken) : actor
      const meta = { ...visitorMeta(context, request), ...externalMeta(body) }
      const ref = agentOfKey(actor)
      const events = services.chat.reply(caller, ref, body, meta, context.signal, reauthenticate)
      return wantsStream(request) ? streamedAnswer(events, context) : completeAnswer(events)
    },
  }),
})

export const loader = route
export const action = route
