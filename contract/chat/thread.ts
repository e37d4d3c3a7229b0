import { z } from 'zod'
import { chatFailures } from '../texts/chat/chat-failures'
import { ratings } from '../values/enumerations'
import { lengths } from '../values/limits'

const invalidPrompt = chatFailures.invalidPrompt.message

export const chatSchema = z.object({
  threadId: z.string().trim().min(1).max(128).nullish(),
  // The service checks the agent's message_length.
  prompt: z
    .string(invalidPrompt)
    .trim()
    .min(1, invalidPrompt)
    .max(lengths.message, `A message can have at most ${lengths.message} characters`),
  createdAt: z.string().nullish(),
})
/** `POST /v1/chat/simple`. */
export const simpleChatSchema = chatSchema.pick({ prompt: true })
export type SimpleChatInput = z.infer<typeof simpleChatSchema>
export type ChatInput = z.infer<typeof chatSchema> & {
  /** What was said before, oldest first, where the client keeps the conversation. Without a `threadId` only. */
  history?: { role: 'user' | 'assistant'; content: string }[]
}

const external = (name: string, max: number) =>
  z.string(`${name} is a text`).trim().max(max, `${name} can have at most ${max} characters`).nullish()

/** `POST /v1/public/chat`. The page says who its visitor is; nobody checks it. A thread keeps what its first message has. */
export const publicChatSchema = chatSchema.extend({
  external_user_id: external('external_user_id', lengths.externalId),
  external_user_email: external('external_user_email', lengths.externalEmail),
  external_session_id: external('external_session_id', lengths.externalId),
})
export type PublicChatInput = z.infer<typeof publicChatSchema>

/** `POST /v1/public/threads/{threadId}/messages/{messageId}/feedback`. */
export const feedbackSchema = z.object({
  rating: z.enum(ratings, 'rating is up or down'),
  comment: z
    .string('comment is a text')
    .trim()
    .max(lengths.feedbackComment, `comment can have at most ${lengths.feedbackComment} characters`)
    .nullish()
    .transform((text) => text || null),
})
export type FeedbackInput = z.infer<typeof feedbackSchema>
