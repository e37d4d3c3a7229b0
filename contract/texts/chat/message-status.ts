import { type MessageStatus, messageStatuses } from '../../values/enumerations'
import { failedMessage } from './chat-failures'

/** Why there is no answer, or only a part of one, in words for everybody. */
export const incompleteAnswers = {
  notStarted: 'Stopped.',
  stopped: 'Stopped before the end of the answer.',
  length: 'The answer reached the output token limit.',
  filtered: "The provider's filter ended the answer.",
} as const

const publicTexts: readonly string[] = Object.values(incompleteAnswers)

/** The status message that strangers see: sentences about providers, keys and limits are for the organization. */
export function publicStatusMessage(status: MessageStatus, statusMessage: string | null): string | null {
  if (statusMessage !== null && publicTexts.includes(statusMessage)) return statusMessage
  return status === messageStatuses.error ? failedMessage : null
}
