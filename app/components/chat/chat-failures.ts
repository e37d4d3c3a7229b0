import { chatFailures } from '../../../contract/texts/chat/chat-failures'
import { type Notification, notification } from '../notifications/notification'

const { invalidPrompt, noFragments, flagged, failed } = chatFailures

/** A response without an answer: its HTTP status, and the title and the message of its problem detail if it has one. */
export interface Refusal {
  status: number
  title?: string | undefined
  message?: string | undefined
}

/**
 * What a person reads about a message without an answer. The contract's texts of 404 and 429 are for one case each, which
 * the title names; other cases have the server's own texts.
 */
export function chatFailure({ status, title, message }: Refusal): Notification {
  switch (status) {
    case 400:
      return notification('danger', invalidPrompt.title, message || invalidPrompt.message)
    case 404:
      return title === noFragments.title
        ? notification('warning', noFragments.title, noFragments.message)
        : notification('warning', title || failed.title, missing)
    case 422:
      return notification('warning', flagged.title)
    case 429:
      return notification('warning', title || failed.title, message || failed.message)
    case 500:
      return notification('danger', failed.title, failed.message)
    default:
      return notification('danger', failed.title, message || failed.message)
  }
}

const missing = 'The thread or its agent was deleted, or you do not have access to it. Start a new thread.'
