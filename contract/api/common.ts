import { z } from 'zod'

// What operations of several groups share.

export const success = z.literal(true)

/** A parameter of the query that is false unless it is 'true'. */
export const flagSchema = z
  .enum(['true', 'false'])
  .catch('false')
  .transform((text) => text === 'true')

/** What an answer to a chat, or the search before it, can fail with. */
export const chatErrors = ['not_found', 'conflict', 'flagged', 'upstream_failed', 'unavailable'] as const
