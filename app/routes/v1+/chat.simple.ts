import { chatFailures } from '../../../contract/texts/chat-failures'
import { simpleChatSchema } from '../../../contract/thread'
import { apiOfKeys, methods } from '../../http/api/api.server'
import { visitorMeta } from '../../http/api/visitor-meta.server'

/** Smart search: the fragments that fit a question, and the agent's answer if it can give one. */
const route = methods({
  POST: apiOfKeys({
    schema: simpleChatSchema,
    invalidTitle: chatFailures.invalidPrompt.title,
    handler: ({ services, actor, context, request, body }) =>
      services.smartSearch(actor, body, visitorMeta(context, request), context.signal),
  }),
})

export const loader = route
export const action = route
