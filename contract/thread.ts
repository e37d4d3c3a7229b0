import { z } from 'zod'
import { chatFailures } from './texts/chat-failures'

const invalidPrompt = chatFailures.invalidPrompt.message

export const chatSchema = z.object({
  threadId: z.string().trim().min(1).max(128).nullish(),
  // The maximum of all agents; the service checks the agent's message_length (256 to 2,048).
  prompt: z.string(invalidPrompt).trim().min(1, invalidPrompt).max(2_048, `A message can have at most 2048 characters`),
  createdAt: z.string().nullish(),
})
/** `POST /v1/chat/simple`. */
export const simpleChatSchema = chatSchema.pick({ prompt: true })
export type SimpleChatInput = z.infer<typeof simpleChatSchema>
export type ChatInput = z.infer<typeof chatSchema>
