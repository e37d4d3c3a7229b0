import { type Notification, notification } from '../notifications/notification'

/** The contract's texts for a message that was not answered, by status. */
export function chatFailure(status: number): Notification {
  switch (status) {
    case 400:
      return notification('danger', 'Failed to send message', 'Invalid prompt, did you type your message?')
    case 404:
      return notification(
        'warning',
        'No data fragments found on Chat API',
        'Did you add your sources yet? Make sure to add them first!',
      )
    case 422:
      return notification('warning', 'Your prompt was flagged by Moderation API')
    case 429:
      return notification('warning', 'Chat API usage limit reached', 'You can no longer send any more messages.')
    default:
      return notification(
        'danger',
        'Failed to process your request with Chat API',
        'Please try again later. Contact support if issue persists.',
      )
  }
}
