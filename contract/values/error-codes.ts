/** Codes of expected failures, as problems carry them. */
export const errorCodes = [
  'invalid_input',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'flagged',
  'quota_exceeded',
  'rate_limited',
  'upstream_failed',
  'unavailable',
  'still_working',
  'storage_full',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The one table of statuses. */
export const statusOf: Record<ErrorCode, number> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  flagged: 422,
  quota_exceeded: 429,
  rate_limited: 429,
  upstream_failed: 502,
  unavailable: 503,
  still_working: 504,
  storage_full: 507,
}

/** What an error means to the program that gets it. */
export const errorMeanings: Record<ErrorCode, string> = {
  invalid_input: 'The body or a parameter is invalid.',
  unauthenticated: 'The token is missing, invalid or expired.',
  forbidden: 'The role, the token or the key does not allow this.',
  not_found: 'It does not exist, or you do not have access to it.',
  conflict: 'It is in a state that does not allow this.',
  too_large: 'The body is too large.',
  flagged: 'Moderation rejected the text.',
  quota_exceeded: 'A limit of the plan is reached.',
  rate_limited: 'Too many requests. Wait the number of seconds in the header Retry-After.',
  upstream_failed: 'The model provider failed.',
  unavailable: 'Something that the request needs is unavailable.',
  still_working: 'It takes longer, and continues in the background.',
  storage_full: 'The disk is full.',
}
