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
  invalid_input: 'The body or a parameter is wrong.',
  unauthenticated: 'No token, or one that is not valid any more.',
  forbidden: 'The role, the token or the key does not allow this.',
  not_found: 'It does not exist, or you have no access to it.',
  conflict: 'It is in a state that does not allow this.',
  too_large: 'The body is too large.',
  flagged: 'The text was refused by moderation.',
  quota_exceeded: 'A limit of the plan is reached.',
  rate_limited: 'Too many requests. Wait as many seconds as the header Retry-After says.',
  upstream_failed: 'The model provider failed.',
  unavailable: 'Something that is needed cannot be used now.',
  still_working: 'It takes long and goes on in the background.',
  storage_full: 'The disk is full.',
}
