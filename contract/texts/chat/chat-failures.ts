/** The contract's texts for messages that are not answered (specification, section 8). */
export const chatFailures = {
  invalidPrompt: { title: 'Failed to send message', message: 'Invalid prompt, did you type your message?' },
  noFragments: {
    title: 'No data fragments found on Chat API',
    message: 'Did you add your sources yet? Make sure to add them first!',
  },
  flagged: { title: 'Your prompt was flagged by Moderation API' },
  usedUp: { title: 'Chat API usage limit reached', message: 'You can no longer send any more messages.' },
  accessEnded: {
    title: 'Your access has changed',
    message: 'The answer was stopped. The part written so far is kept.',
  },
  failed: {
    title: 'Failed to process your request with Chat API',
    message: 'Please try again later. Contact support if issue persists.',
  },
} as const

/** The contract's text of a message with status 0 that has no `status_message`. */
export const failedMessage = 'Failed'
