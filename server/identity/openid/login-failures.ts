import { OAuth2RequestError } from 'remix-auth-oauth2'
import { isAppError } from '../../errors'

/** What the landing page gets in its address: `error` and `error_description`. */
export interface LoginFailure {
  code: string
  description: string
}

/** The transaction's cookie is gone: the page was open for too long, or the way back was taken twice. */
export class MissingTransaction extends Error {
  override readonly name = 'MissingTransaction'
}
/** The answer belongs to another sign-in than the one that this browser began. */
export class StateMismatch extends Error {
  override readonly name = 'StateMismatch'
}

/** Codes of the contract that a provider may answer with. */
const known = new Set([
  'timeout',
  'cancelled',
  'mfa_required',
  'missing_refresh_token',
  'use_dpop_nonce',
  'login_required',
])
const maxDescriptionLength = 300

/** The contract's codes and texts for a sign-in that failed. */
export function loginFailure(error: unknown): LoginFailure {
  if (error instanceof MissingTransaction) return { code: 'missing_transaction', description: 'Invalid state' }
  if (error instanceof StateMismatch) return { code: 'state_mismatch', description: 'Invalid state' }
  if (isAppError(error))
    return { code: error.code === 'forbidden' ? 'access_denied' : 'login_failed', description: error.message }
  if (error instanceof OAuth2RequestError) {
    if (error.code === 'access_denied') {
      return {
        code: 'access_denied',
        description: (error.description ?? 'The sign-in service did not let you in.').slice(0, maxDescriptionLength),
      }
    }
    return { code: known.has(error.code) ? error.code : 'login_failed', description: 'Login failed' }
  }
  return { code: 'login_failed', description: 'Login failed' }
}
