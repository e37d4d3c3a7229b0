import { chatFailures } from '../../../contract/texts/chat-failures'
import { type Notification, notification } from '../notifications/notification'

const { invalidPrompt, noFragments, flagged, usedUp, failed } = chatFailures

/**
 * The contract's texts for a message without an answer, by HTTP status. For invalid prompts and agents that are not
 * ready, the server's `message` says what to do.
 */
export function chatFailure(status: number, message?: string): Notification {
  switch (status) {
    case 400:
      return notification('danger', invalidPrompt.title, message || invalidPrompt.message)
    case 404:
      return notification('warning', noFragments.title, noFragments.message)
    case 409:
      return notification('danger', failed.title, message || failed.message)
    case 422:
      return notification('warning', flagged.title)
    case 429:
      return notification('warning', usedUp.title, usedUp.message)
    default:
      return notification('danger', failed.title, failed.message)
  }
}
