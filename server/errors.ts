import type { ErrorCode } from '../contract/values/error-codes'
import type { ProviderError, ProviderFailure } from './engine/ports/chat-model'

/** What is left of a limit, as the `RateLimit` header says it. */
export interface RateState {
  /** What is limited: one network address, one key, or the share of one address in a key's requests. */
  name: 'address' | 'key' | 'key-address'
  /** Requests a minute. */
  limit: number
  remaining: number
  resetSeconds: number
}

export interface ErrorDetails {
  /** Contract texts where it names some; otherwise derived from the code. */
  title?: string
  /** Thread that keeps what was written of an answer that failed, and the visitor's token for it. */
  thread?: { threadId: string; visitorToken?: string }
  /** Seconds until the same request can succeed; for rate_limited. */
  retryAfterSeconds?: number
  /** State of the limit; for rate_limited, where it is one of requests a minute. */
  rate?: RateState
  /** Whether the access token is valid, but its person has no account here; for unauthenticated. */
  isPersonGone?: boolean
  /** Messages by field name, for forms and for `errors` in a problem body. */
  fields?: Record<string, string[]>
}

// The Remix bundle and the process each have their own copy of these classes, so errors are recognized by a symbol.
const mark = Symbol.for('sitelore.AppError')
const providerMark = Symbol.for('sitelore.ProviderError')

/** An expected failure. `message` is always safe to show; `cause` is only logged. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly [mark] = true
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(
    code: ErrorCode,
    message: string,
    { details = {}, cause }: { details?: ErrorDetails; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}

export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && mark in error
}

/** What an adapter of ChatModel throws. */
export function providerError(providerFailure: ProviderFailure, message: string, cause?: unknown): ProviderError {
  return Object.assign(new Error(message, { cause }), { providerFailure, [providerMark]: true })
}

export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && providerMark in error
}

/** Thrown by a job: it is put back and tried again after `ms`, without counting as a failure. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater'
  constructor(
    readonly ms: number,
    options?: ErrorOptions,
  ) {
    super(`Retry in ${ms} ms`, options)
  }
}

/** Thrown by a job that must not be tried again. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}
