import { OAuth2RequestError } from 'remix-auth-oauth2'
import { isAppError } from '../../errors'

/** Sent to the landing page as `error` and `error_description`. */
export interface LoginFailure {
  code: string
  description: string
}

/** The browser sent no transaction cookie: the sign-in took too long, or its callback was opened twice. */
export class MissingTransaction extends Error {
  override readonly name = 'MissingTransaction'
}
/** The response belongs to a sign-in that this browser did not start. */
export class StateMismatch extends Error {
  override readonly name = 'StateMismatch'
}

/** Codes of the contract that a provider may send. */
const knownCodes = new Set([
  'timeout',
  'cancelled',
  'mfa_required',
  'missing_refresh_token',
  'use_dpop_nonce',
  'login_required',
])
const maxDescriptionLength = 300

/** The contract's code and text for a failed sign-in. */
export function loginFailure(error: unknown): LoginFailure {
  if (error instanceof MissingTransaction) return { code: 'missing_transaction', description: 'Invalid state' }
  if (error instanceof StateMismatch) return { code: 'state_mismatch', description: 'Invalid state' }
  if (isAppError(error))
    return { code: error.code === 'forbidden' ? 'access_denied' : 'login_failed', description: error.message }
  if (error instanceof OAuth2RequestError) {
    if (error.code === 'access_denied') {
      return {
        code: 'access_denied',
        description: (error.description ?? 'The sign-in service denied access.').slice(0, maxDescriptionLength),
      }
    }
    return { code: knownCodes.has(error.code) ? error.code : 'login_failed', description: 'Login failed' }
  }
  // The requests to the provider have timeouts.
  const hasTimedOut = error instanceof Error && error.name === 'TimeoutError'
  return { code: hasTimedOut ? 'timeout' : 'login_failed', description: 'Login failed' }
}
