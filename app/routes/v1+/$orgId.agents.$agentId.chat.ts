import { chatSchema } from '../../../contract/thread'
import { api, methods } from '../../http/api.server'
import { streamedAnswer, wantsStream, wholeAnswer } from '../../http/chat-answer.server'
import { visitorLanguage } from '../../http/visitor-language.server'

/** One message to an agent: JSON when the answer is whole, or events as it is written when `Accept` asks for them. */
const route = methods({
  POST: api({
    schema: chatSchema,
    handler: ({ app, actor, context, request, param, body }) => {
      const meta = {
        origin: request.headers.get('origin'),
        ip: context.clientIp,
        userAgent: request.headers.get('user-agent'),
        language: visitorLanguage(request),
      }
      const events = app.chat.reply(actor, param('orgId'), param('agentId'), body, meta, context.signal)
      return wantsStream(request) ? streamedAnswer(events, context) : wholeAnswer(events)
    },
  }),
})

export const loader = route
export const action = route
