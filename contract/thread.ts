import { z } from 'zod'
import type { MessageRole, MessageStatus, Provider } from './enumerations'

const invalidPrompt = 'Invalid prompt, did you type your message?'

export const chatSchema = z.object({
  threadId: z.string().trim().min(1).max(128).nullish(),
  // The agent's own message_length (256 to 2,048) is checked by the service; this is the widest of them.
  prompt: z.string(invalidPrompt).trim().min(1, invalidPrompt).max(2_048, `A message can have at most 2048 characters`),
  createdAt: z.string().nullish(),
})
export type ChatInput = z.infer<typeof chatSchema>

/** The contract's fragment, with what a citation needs beside it. */
export interface FragmentView {
  id: string
  /** The calibrated similarity, 0 to 1. */
  score: number
  url: string
  /** `url` with the nearest anchor. */
  link: string
  title: string
  headings: string[]
  content: string
  /** Where members see its address in the dashboard; absent from answers that were kept without them. */
  address_id?: string
  collection_id?: string
}

export interface MessageView {
  id: string
  thread_id: string
  role: MessageRole
  provider: Provider | null
  model: string | null
  content: string
  status: MessageStatus
  status_message: string | null
  created_at: string
  tokens_input: number | null
  tokens_output: number | null
  /** Milliseconds. */
  time_processing: number | null
  /** What the answer was made from, in the order of its numbers; agent messages only. */
  fragments: FragmentView[]
}

export interface ThreadView {
  id: string
  agent_id: string | null
  agent: { name: string } | null
  organization_id: string
  created_by: string | null
  created_at: string
  provider: Provider | null
  provider_thread_id: string | null
  published_at: string | null
  meta_origin: string | null
  meta_ip: string | null
  meta_user_agent: string | null
  external_user_id: string | null
  external_user_email: string | null
  external_session_id: string | null
  messages?: MessageView[]
}

/** What a chat streams, as server-sent events of these names. */
export type ChatEvent =
  | { type: 'sources-found'; threadId: string; messageId: string; fragments: FragmentView[] }
  | { type: 'text-delta'; text: string }
  | { type: 'text-end' }
  | { type: 'answer-end'; threadId: string; message: MessageView }
  | {
      type: 'answer-error'
      threadId: string
      title: string
      message: string /** What there was of an answer, kept and marked. */
      partial: MessageView | null
    }
