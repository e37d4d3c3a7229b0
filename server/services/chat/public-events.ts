import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { publicStatusMessage } from '../../../contract/texts/chat/message-status'
import type { ChatEvent, MessageView } from '../../../contract/views/chat/thread'
import { AppError, isAppError } from '../../errors'

/** Removes what only the organization may know of an answer: providers, costs, what was searched, and its sentences to operators. */
export function publicEvent(event: ChatEvent): ChatEvent {
  if (event.type === 'answer-end') return { ...event, message: publicMessage(event.message) }
  if (event.type !== 'answer-error') return event
  // Strangers learn that their access ended, and nothing about the provider.
  const { title, message } = event.code === 'forbidden' ? chatFailures.accessEnded : chatFailures.failed
  return { ...event, title, message, partial: event.partial && publicMessage(event.partial) }
}

/** Removes the reason why an agent cannot answer: its sentences are for operators and name the provider. */
export function publicError(error: unknown): unknown {
  if (!isAppError(error) || !['conflict', 'unavailable'].includes(error.code)) return error
  const { title, message } = chatFailures.failed
  return new AppError(error.code, message, { details: { ...error.details, title }, cause: error })
}

function publicMessage(message: MessageView): MessageView {
  return {
    ...message,
    status_message: publicStatusMessage(message.status, message.status_message),
    provider: null,
    model: null,
    tokens_input: null,
    tokens_output: null,
    time_processing: null,
    time_search: null,
    time_first_text: null,
    query: null,
    candidates: [],
  }
}
