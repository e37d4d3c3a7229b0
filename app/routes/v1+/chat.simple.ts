import { simpleChat } from '../../../contract/api/chat'
import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { apiOfKeys, methods } from '../../http/api/api.server'
import { visitorMeta } from '../../http/api/visitor-meta.server'

/** Smart search: the fragments that fit a question, and the agent's answer if it can give one. */
const route = methods({
  POST: apiOfKeys({
    operation: simpleChat,
    invalidTitle: chatFailures.invalidPrompt.title,
    handler: ({ services, actor, reauthenticate, context, request, body }) =>
      services.smartSearch(actor, body, visitorMeta(context, request), context.signal, reauthenticate),
  }),
})

export const loader = route
export const action = route
