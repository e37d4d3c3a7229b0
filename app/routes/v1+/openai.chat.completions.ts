import { createCompletion } from '../../../contract/api/visitors'
import { apiOfPrivateKeys, methods } from '../../http/api/api.server'
import { agentOfKey } from '../../http/api/refs.server'
import { visitorMeta } from '../../http/api/visitor-meta.server'
import { assertModel, completion, completionStream, openAiFailure } from '../../http/streams/openai.server'

/** Answers as a model of OpenAI does: the agent is the model, its private key the key. */
const route = methods({
  POST: apiOfPrivateKeys({
    operation: createCompletion,
    failed: openAiFailure,
    handler: async ({ services, actor, reauthenticate, context, request, body }) => {
      const ref = agentOfKey(actor)
      assertModel(body.model, ref.agentId)
      const meta = { ...visitorMeta(context, request), externalUserId: body.user }
      const input = { prompt: body.prompt, history: body.history }
      const events = services.chat.reply(actor, ref, input, meta, context.signal, reauthenticate)
      return body.isStream ? completionStream(events, body, context) : completion(events, body)
    },
  }),
})

export const loader = route
export const action = route
