import type { AppLoadContext } from '@remix-run/node'
import { type ErrorCode, statusOf } from '../../../contract/values/error-codes'
import { type AppError, type ErrorDetails, isAppError } from '../../../server/errors'

/** Default titles by error code. The status of each code is in server/errors.ts. */
const titles: Record<ErrorCode, string> = {
  invalid_input: 'The request is not valid',
  unauthenticated: 'Not signed in',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  conflict: 'Conflict',
  too_large: 'Too large',
  flagged: 'Flagged by moderation',
  quota_exceeded: 'Usage limit reached',
  rate_limited: 'Too many requests',
  upstream_failed: 'Another service failed',
  unavailable: 'Not available',
  still_working: 'Still working',
  storage_full: 'The storage is full',
}

export const unexpected = 'Something went wrong on our side. Try again. If it happens again, report the request id.'

/**
 * Converts an error into a problem detail (RFC 9457) that also carries the contract's `message` and `errors`. Unexpected
 * errors are logged with their cause and described without details.
 */
export function problem(
  error: unknown,
  { report, requestId, signal }: Pick<AppLoadContext, 'report' | 'requestId'> & { signal?: AbortSignal },
): Response {
  if (isAppError(error)) {
    if (error.cause !== undefined)
      report(error, 'A request was rejected', statusOf[error.code] >= 500 ? 'warn' : 'debug')
    return appErrorResponse(error, statusOf[error.code], requestId)
  }
  // Work that ended because the client closed the connection has not failed.
  const isClosed = signal?.aborted && error instanceof Error && error.name === 'AbortError'
  report(error, 'A request failed', isClosed ? 'debug' : 'error')
  return problemResponse(500, 'internal', 'Something went wrong', unexpected, requestId)
}

/** Returns the contract's title of an error, else that of its code. */
export function titleOf({ code, details }: AppError): string {
  return details.title ?? titles[code]
}

function appErrorResponse(error: AppError, status: number, requestId: string): Response {
  const { code, message, details } = error
  const response = problemResponse(status, code, titleOf(error), message, requestId, details)
  // RFC 6750, section 3.
  if (code === 'unauthenticated') response.headers.set('WWW-Authenticate', 'Bearer')
  if (details.retryAfterSeconds !== undefined) response.headers.set('Retry-After', String(details.retryAfterSeconds))
  return response
}

/** Responds 405, which is none of our own error codes. */
export function methodNotAllowed(allowed: string[], requestId: string): Response {
  const response = problemResponse(
    405,
    'method_not_allowed',
    'Method not allowed',
    `Use ${allowed.join(', ')}.`,
    requestId,
  )
  response.headers.set('Allow', allowed.join(', '))
  return response
}

function problemResponse(
  status: number,
  code: string,
  title: string,
  message: string,
  requestId: string,
  { fields, thread }: Pick<ErrorDetails, 'fields' | 'thread'> = {},
): Response {
  const problem = {
    type: `urn:sitelore:problem:${code}`,
    title,
    status,
    detail: message,
    instance: `urn:uuid:${requestId}`,
    code,
    message,
    ...thread,
    ...(fields && { errors: fields }),
  }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'Content-Type': 'application/problem+json; charset=utf-8' },
  })
}
