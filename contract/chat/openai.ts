import { z } from 'zod'
import { chatSchema } from './thread'

const part = z.object(
  { type: z.literal('text'), text: z.string() },
  'A part of a message is {"type": "text", "text": …}',
)
/** Maximum characters of one message of the conversation. */
const maxContent = 20_000
const content = z
  .union([z.string(), z.array(part).min(1)], 'content is a text')
  .transform((input) => (typeof input === 'string' ? input : input.map(({ text }) => text).join('\n')))
const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const
const message = z
  .object({
    role: z.enum(roles, `role is one of ${roles.join(', ')}`),
    content: content.nullish().transform((text) => text ?? ''),
  })
  .refine(({ role, content }) => !isTurn(role) || content.length <= maxContent, {
    message: `content can have at most ${maxContent} characters`,
    path: ['content'],
  })
/** The maximum number of earlier messages; older ones are ignored. */
const maxHistory = 100

/**
 * `POST /v1/openai/chat/completions`, as OpenAI's clients send it. The last message is the question. Instructions of the
 * roles system and developer are ignored, because the agent has its own; so are tools and the parameters of models.
 */
export const completionSchema = z
  .object({
    model: z.string('model is the id of the agent').trim().min(1, 'model is the id of the agent'),
    messages: z.array(message, 'messages is a list').min(1, 'messages has at least one message').max(2_000),
    stream: z.boolean('stream is true or false').nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    user: z.string().trim().max(128, 'user can have at most 128 characters').nullish(),
  })
  .transform(({ model, messages, stream, stream_options, user }, context) => {
    const turns = messages.flatMap(({ role, content }) => (isTurn(role) ? [{ role, content }] : []))
    const question = turns.at(-1)
    const prompt = chatSchema.shape.prompt.safeParse(question?.content)
    if (question?.role !== 'user' || !prompt.success) {
      const message = prompt.error?.issues[0]?.message ?? 'The last message has the role user'
      context.addIssue({ code: 'custom', path: ['messages'], message })
      return z.NEVER
    }
    return {
      model,
      prompt: prompt.data,
      history: turns.slice(-maxHistory - 1, -1).filter(({ content }) => content.trim() !== ''),
      isStream: stream === true,
      includesUsage: stream_options?.include_usage === true,
      user: user || null,
    }
  })
export type Completion = z.infer<typeof completionSchema>

function isTurn(role: (typeof roles)[number]): role is 'user' | 'assistant' {
  return role === 'user' || role === 'assistant'
}
