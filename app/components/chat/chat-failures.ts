import { type Notification, notification } from '../notifications/notification'

const invalid = 'Invalid prompt, did you type your message?'
const failed = 'Failed to process your request with Chat API'
const later = 'Please try again later. Contact support if issue persists.'

/**
 * The contract's texts for a message without an answer, by HTTP status. For invalid prompts and agents that are not
 * ready, the server's `message` says what to do.
 */
export function chatFailure(status: number, message?: string): Notification {
  switch (status) {
    case 400:
      return notification('danger', 'Failed to send message', message || invalid)
    case 404:
      return notification(
        'warning',
        'No data fragments found on Chat API',
        'Did you add your sources yet? Make sure to add them first!',
      )
    case 409:
      return notification('danger', failed, message || later)
    case 422:
      return notification('warning', 'Your prompt was flagged by Moderation API')
    case 429:
      return notification('warning', 'Chat API usage limit reached', 'You can no longer send any more messages.')
    default:
      return notification('danger', failed, later)
  }
}
