import { chatSchema } from '../../../../../contract/thread'
import { api, methods } from '../../../../http/api/api.server'
import { agentRef } from '../../../../http/api/refs.server'
import { visitorLanguage } from '../../../../http/session/visitor-language.server'
import { completeAnswer, streamedAnswer, wantsStream } from '../../../../http/streams/chat-answer.server'

/** Sends a message to an agent. Responds with the complete answer as JSON, or streams it if `Accept` asks for events. */
const route = methods({
  POST: api({
    schema: chatSchema,
    handler: ({ services, actor, context, request, param, body }) => {
      const meta = {
        origin: request.headers.get('origin'),
        ip: context.clientIp,
        userAgent: request.headers.get('user-agent'),
        language: visitorLanguage(request),
      }
      const events = services.chat.reply(actor, agentRef(param), body, meta, context.signal)
      return wantsStream(request) ? streamedAnswer(events, context) : completeAnswer(events)
    },
  }),
})

export const loader = route
export const action = route
