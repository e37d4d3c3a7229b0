/** The contract's texts for requests that need a session and have none. */
export const invalidState = {
  user: 'Invalid state, cannot fetch current user.',
  organization: 'Invalid state, cannot fetch organization.',
  usage: 'Invalid state, cannot fetch organization usage.',
} as const
